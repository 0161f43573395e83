import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { quietLog } from '#backend/testing/quiet-log.ts'

import { openDatabase } from '#backend/database/pool.ts'
import { holdWorkerLock, LOCK_CLASS } from './worker-lock.ts'
import { migrateJobs, runDueJobs, startJobs, type TaskList } from './run-jobs.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await bareDatabase()
  await migrateJobs(db.database.owner)
})
afterAll(() => db.close())

describe('jobs', () => {
  it('runs a queued job as soon as the transaction commits', async () => {
    const done = Promise.withResolvers<unknown>()
    // Without NOTIFY, the job would wait for the next poll, and the test would time out.
    const runner = await start({ greet: async (payload) => done.resolve(payload) }, { pollMs: 600_000 })
    // The runner subscribes on a connection of its own, which may open after it has looked for jobs.
    await expect.poll(countSubscriptions).toBe(1)

    await addJob('greet', { name: 'Thandi' })

    expect(await done.promise).toEqual({ name: 'Thandi' })
    await runner.stop()
  })

  it('finishes running jobs before the runner stops', async () => {
    const started = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    let isFinished = false
    const runner = await start({
      slow: async () => {
        started.resolve()
        await mayEnd.promise
        isFinished = true
      },
    })
    await addJob('slow', {})
    await started.promise

    const stopped = runner.stop()
    mayEnd.resolve()
    await stopped

    expect(isFinished).toBe(true)
  })

  it('retries a job after a failed attempt', async () => {
    let tries = 0
    const tasks: TaskList = {
      flaky: async () => {
        tries++
        if (tries === 1) throw new Error('not yet')
      },
    }
    await addJob('flaky', {})

    await runDueJobs({ pool: db.database.owner, tasks, log: quietLog })
    await db.database.owner.query('update graphile_worker._private_jobs set run_at = now()')
    await runDueJobs({ pool: db.database.owner, tasks, log: quietLog })

    expect(tries).toBe(2)
  })
})

describe('jobs of a killed process', () => {
  it('runs the jobs of a killed process at the next start', async () => {
    const done = Promise.withResolvers<void>()
    await addJob('orphan', {})
    await lockJobs('orphan', 'pool-of-the-dead')

    const runner = await start({ orphan: async () => done.resolve() })
    await done.promise

    await runner.stop()
  })

  it('does not take a job from a process that is alive', async () => {
    const alive = await holdWorkerLock(db.database.owner, 'pool-of-the-living')
    await addJob('busy', {})
    await lockJobs('busy', 'pool-of-the-living')

    const first = await holdWorkerLock(db.database.owner, 'pool-one')
    expect(await holderOf('busy')).toBe('pool-of-the-living')

    await alive.end()
    // PostgreSQL notices a lost connection with a delay, so one sweep may not suffice.
    const second = await holdWorkerLock(db.database.owner, 'pool-two', { sweepIntervalMs: 10 })
    await expect.poll(() => holderOf('busy')).toBeNull()

    await first.end()
    await second.end()
  })
})

describe('lost database connections', () => {
  it('runs the next job after the database connection breaks while jobs are marked as done', async () => {
    const database = openDatabase(db.url)
    const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const mayEnd = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const next = Promise.withResolvers<void>()
    const tasks: TaskList = {
      ending: async (payload) => {
        started[Number(payload)]?.resolve()
        await mayEnd[Number(payload)]?.promise
      },
      next: async () => next.resolve(),
    }
    const runner = await startJobs({
      pool: database.owner,
      tasks,
      crontab: '',
      log: quietLog,
      stopTimeoutMs: 200,
    })
    await addJob('ending', 0)
    await addJob('ending', 1)
    await Promise.all(started.map(({ promise }) => promise))

    await whileNobodyMayWriteJobs(async () => {
      for (const [which, { resolve }] of mayEnd.entries()) {
        resolve()
        // oxlint-disable-next-line no-await-in-loop -- sequential, because jobs that end at the same time share one statement
        await expect.poll(waitingToBeMarked).toHaveLength(which + 1)
      }
      await terminate(await waitingToBeMarked())
    })
    await addJob('next', {})

    await next.promise
    await runner.stop()
    await database.close()
  })

  it('runs jobs after the disk was full while the runner started', async () => {
    const { owner } = db.database
    await owner.query(`
      create sequence public.refusals;
      create function public.refuse() returns trigger language plpgsql as $$
      begin
        perform nextval('public.refusals');
        raise 'No space left on device' using errcode = 'disk_full';
      end $$;
      create trigger disk_is_full before insert on graphile_worker._private_tasks execute function public.refuse()`)
    const done = Promise.withResolvers<void>()
    const runner = await start({ late: async () => done.resolve() })
    await expect
      .poll(async () => (await owner.query('select is_called from public.refusals')).rows)
      .toEqual([{ is_called: true }])

    await owner.query('drop trigger disk_is_full on graphile_worker._private_tasks')
    await addJob('late', {})

    await done.promise
    await runner.stop()
  })

  it('stops running due jobs after the database connection breaks while jobs are marked as done', async () => {
    let lost = 0
    const database = openDatabase(db.url, { onConnectionLost: () => (lost += 1) })
    const inTheWay = await db.database.owner.connect()
    await inTheWay.query('begin')
    const tasks: TaskList = {
      // A lock on a running job's row blocks its completion, while the next job can start.
      'marked late': async (payload, { job }) => {
        // Jobs that end at the same time share one statement.
        await expect.poll(waitingToBeMarked).toHaveLength(Number(payload))
        await inTheWay.query('select from graphile_worker._private_jobs where id = $1 for update', [job.id])
      },
      'running meanwhile': async () => {
        await expect.poll(waitingToBeMarked).toHaveLength(2)
        await terminate(await waitingToBeMarked())
        await expect.poll(() => lost).toBe(2)
        throw new Error('not now')
      },
    }
    await addJob('marked late', 0)
    await addJob('marked late', 1)
    await addJob('running meanwhile', null)

    await expect(
      runDueJobs({ pool: database.owner, tasks, log: quietLog, stopTimeoutMs: 50 }),
    ).rejects.toThrow(/did not stop within/)

    await inTheWay.query('rollback')
    inTheWay.release()
    await database.close()
  })

  it('requests only one database connection while waiting for the worker lock', async () => {
    const database = openDatabase(db.url)
    const workerLock = await holdWorkerLock(database.owner, 'pool-that-waits', { sweepIntervalMs: 1 })
    const inTheWay = await db.database.owner.connect()
    const isTaken = inTheWay.query('select pg_advisory_lock($1, hashtext($2))', [
      LOCK_CLASS,
      'pool-that-waits',
    ])
    await expect.poll(() => locksOf('pool-that-waits', 'waiting')).toHaveLength(1)
    await terminate(await locksOf('pool-that-waits', 'granted'))
    await isTaken

    await expect.poll(() => locksOf('pool-that-waits', 'waiting')).toHaveLength(1)
    // Waits as long as a hundred sweeps.
    await inTheWay.query('select pg_sleep(0.1)')

    expect(await locksOf('pool-that-waits', 'waiting')).toHaveLength(1)
    inTheWay.release(true)
    await expect.poll(() => locksOf('pool-that-waits', 'granted')).toHaveLength(1)
    await workerLock.end()
    await database.close()
  })
})

async function whileNobodyMayWriteJobs(work: () => Promise<void>): Promise<void> {
  const client = await db.database.owner.connect()
  await client.query('begin')
  await client.query('lock table graphile_worker._private_jobs in access exclusive mode')
  await work()
  await client.query('rollback')
  client.release()
}

/** Returns the connections that wait to mark a job as done. */
function waitingToBeMarked(): Promise<number[]> {
  return processIds(`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%delete from%_jobs%'`)
}

function locksOf(holder: string, state: 'granted' | 'waiting'): Promise<number[]> {
  return processIds(
    `select pid from pg_locks
     where locktype = 'advisory' and objsubid = 2 and granted = $2
       and database = (select oid from pg_database where datname = current_database())
       and classid = $3::oid and objid::bigint = hashtext($1)::bigint & 4294967295`,
    [holder, state === 'granted', LOCK_CLASS],
  )
}

async function processIds(query: string, values: unknown[] = []): Promise<number[]> {
  const { rows } = await db.database.owner.query<{ pid: number }>(query, values)
  return rows.map(({ pid }) => pid)
}

async function terminate(pids: number[]): Promise<void> {
  await db.database.owner.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids])
}

async function countSubscriptions(): Promise<number> {
  const { rows } = await db.database.owner.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
      where datname = current_database() and query like 'LISTEN "jobs:insert"%' and state = 'idle'`,
  )
  return rows[0]?.count ?? 0
}

function start(tasks: TaskList, { pollMs }: { pollMs?: number } = {}) {
  return startJobs({ pool: db.database.owner, tasks, crontab: '', log: quietLog, pollMs })
}

async function addJob(name: string, payload: unknown): Promise<void> {
  await db.database.owner.query('select graphile_worker.add_job($1, $2::json)', [
    name,
    JSON.stringify(payload),
  ])
}

/** Puts the database into the state after `kill -9` during a job. */
async function lockJobs(name: string, holder: string): Promise<void> {
  await db.database.owner.query(
    `update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - interval '3 seconds', attempts = 1
     where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
    [name, holder],
  )
}

async function holderOf(name: string): Promise<string | null> {
  const { rows } = await db.database.owner.query<{ locked_by: string | null }>(
    `select j.locked_by from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1`,
    [name],
  )
  return rows[0]?.locked_by ?? null
}
