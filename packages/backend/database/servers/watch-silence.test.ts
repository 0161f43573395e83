import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quietLog } from '#backend/testing/quiet-log.ts'
import { type EmbeddedPostgres, postgresUrl, startPostgres } from '../embedded.ts'
import { openDatabase } from '../pool.ts'
import { whyUnavailable } from '../unavailable.ts'

/** Stops or continues all processes of a server, as a debugger or a frozen machine does. */
async function signalAll(folder: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) process.kill(pid, signal)
}

it('fails queries within seconds when the database stops to answer, and serves again when it continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'silence-'))
  let postgres: EmbeddedPostgres | undefined
  try {
    postgres = await startPostgres(folder, { durable: false })
    const url = postgresUrl(postgres, 'supabase_admin')
    const silence = { log: quietLog, intervalMs: 50, timeoutMs: 1500 }
    const database = openDatabase(url, { silence })
    const ask = () => database.owner.query('select 1').then(() => null, whyUnavailable)
    expect(await ask()).toBeNull()

    await signalAll(folder, 'SIGSTOP')
    try {
      expect(await Promise.all([ask(), ask()])).toEqual(['lost', 'lost'])
      const askedAt = performance.now()
      expect(await ask()).toBe('lost')
      expect(performance.now() - askedAt).toBeLessThan(700)
    } finally {
      await signalAll(folder, 'SIGCONT')
    }

    await expect.poll(ask).toBeNull()
    await database.close()
  } finally {
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
