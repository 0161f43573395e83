import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest'
import { countFor, isLongRun, moments, seededRandom } from '#backend/testing/property-runs.ts'
import { LURES, postgres17, runOn } from './testing/data-folder.ts'

const CHILD = fileURLToPath(new URL('testing/move-once.ts', import.meta.url))
const KILLS = countFor('MAJOR_KILLS', { gate: 1, long: 40 })
/** A single kill needs no measured duration. */
const USUAL_MS = 1200

let prepared: Awaited<ReturnType<typeof postgres17>>
beforeAll(async () => {
  prepared = await postgres17()
})
afterAll(() => prepared.close())

/** Moves in a separate process and kills it after `killAfterMs`. Returns the duration and the errors that the process would log. */
async function moveOnce(folder: string, killAfterMs?: number) {
  const child = fork(CHILD, [folder, prepared.sql.folder], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await once(child, 'message')
  const errors: unknown[] = []
  child.on('message', (error) => errors.push(error))
  const started = performance.now()
  if (killAfterMs !== undefined) {
    await Promise.race([pause(killAfterMs), ended])
    child.kill('SIGKILL')
  }
  await ended
  return { ms: performance.now() - started, errors }
}

/** Kills the PostgreSQL that the killed process left, as a power cut would. */
async function killServers(folder: string): Promise<void> {
  for (const name of ['postgres', 'postgres-18.unfinished']) {
    // oxlint-disable-next-line no-await-in-loop -- two
    const pid = await readFile(join(folder, name, 'postmaster.pid'), 'utf8').catch(() => null)
    try {
      if (pid) process.kill(Number.parseInt(pid, 10), 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

/** Returns the duration of a move. */
async function measure(): Promise<number> {
  const folder = await prepared.copy()
  const { ms } = await moveOnce(folder)
  await rm(folder, { recursive: true })
  return ms
}

it.runIf(isLongRun || process.env.MAJOR_KILLS)(
  `opens the database of before or the finished new one when the move to a newer PostgreSQL is killed (${KILLS} times at most)`,
  { timeout: 600_000 },
  async () => {
    const { seed, random } = seededRandom()
    onTestFailed(() => console.error(`PROPERTY_SEED=${seed}`))
    const ms = KILLS === 1 ? USUAL_MS : await measure()
    let folder = await prepared.copy()
    let rows = 500
    // oxlint-disable no-await-in-loop -- one move after the other
    let isPowerCut = false
    for (const moment of moments(KILLS, random)) {
      await moveOnce(folder, moment * ms)
      if (isPowerCut) await killServers(folder)
      isPowerCut = !isPowerCut

      const found = await runOn(folder, LURES)
      expect([`17 ${rows} ${rows}`, `18 ${rows} ${rows}`]).toContain(found)
      await runOn(folder, `insert into public.lures (name) values ('Later')`)
      rows += 1
      if (String(found).startsWith('18')) {
        await rm(folder, { recursive: true })
        folder = await prepared.copy()
        rows = 500
      }
    }
    // oxlint-enable no-await-in-loop
    expect((await moveOnce(folder)).errors).toEqual([])
    expect(await runOn(folder, LURES)).toBe(`18 ${rows} ${rows}`)
    await rm(folder, { recursive: true })
  },
)
