import { afterAll, beforeAll, expect, it } from 'vitest'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { runInOneProcess } from './run-in-one-process.ts'

const LOCK = 4711
const running = new Set<string>()

let db: TestDatabase
beforeAll(async () => {
  db = await bareDatabase()
})
afterAll(() => db.close())

function begin(name: string) {
  return runInOneProcess({
    databaseUrl: db.url,
    lock: LOCK,
    pollMs: 20,
    start() {
      running.add(name)
      return { stop: async () => void running.delete(name) }
    },
  })
}

async function lockHolders(): Promise<number[]> {
  const { rows } = await db.database.owner.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and objid = $1 and granted`,
    [LOCK],
  )
  return rows.map(({ pid }) => pid)
}

it('runs work in one of several processes, and in another one when that one stops or loses the database', async () => {
  const first = begin('first')
  await expect.poll(() => [...running]).toEqual(['first'])
  const second = begin('second')
  const third = begin('third')

  await first.stop()
  await expect.poll(() => running.size).toBe(1)
  expect(running).not.toContain('first')

  const [holder] = await lockHolders()
  await db.database.owner.query('select pg_terminate_backend($1)', [holder])
  await expect.poll(async () => (await lockHolders()).filter((pid) => pid !== holder).length).toBe(1)
  await expect.poll(() => running.size).toBe(1)

  await Promise.all([second.stop(), third.stop()])
  expect([...running]).toEqual([])
  expect(await lockHolders()).toEqual([])
})

it('stops when it is told to while it is still connecting', async () => {
  const early = begin('early')

  await early.stop()

  expect([...running]).toEqual([])
  expect(await lockHolders()).toEqual([])
})
