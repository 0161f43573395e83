import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-manager-'))
  // In place of systemd's program, which needs systemd.
  await writeFile(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$2" >> ${folder}/told\n`)
  await chmod(join(folder, 'systemd-notify'), 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const told = () => readFile(join(folder, 'told'), 'utf8').catch(() => '')

/** Runs a process that reports to systemd for a while. Returns a function that ends it. */
function run(call: string, env: Record<string, string>): () => boolean {
  const script = `import { reportReady, extendStart } from './server/service-manager.ts'\n${call}\nsetTimeout(() => {}, 60_000)`
  const program = execFile(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: `${folder}:${process.env.PATH}`, ...env },
  })
  program.on('error', () => undefined)
  return () => program.kill('SIGKILL')
}

it('tells systemd that the shop is ready, and again and again that its event loop runs', async () => {
  const end = run('reportReady()', { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '300000' })

  await expect.poll(told).toMatch(/^READY=1\n(?:WATCHDOG=1\n){3}/)
  end()
})

it('asks systemd for more time while the database moves to a newer PostgreSQL', async () => {
  const end = run('extendStart()', { NOTIFY_SOCKET: '/run/systemd/notify' })

  await expect.poll(told).toBe('EXTEND_TIMEOUT_USEC=60000000\n')
  end()
})
