import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { Logger, run, runMigrations, runOnce, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'

import { withRequests } from './caused-by-request.ts'
import { forgetFuture, watchClock } from './clock-jumps.ts'
import { holdWorkerLock, type WorkerLock } from './worker-lock.ts'
import type { Log } from '#backend/process/log.ts'

export type { TaskList } from 'graphile-worker'

export interface JobRunner {
  /** Takes no new jobs, waits for the running ones, and returns unfinished ones to the queue. */
  stop(): Promise<void>
}

export interface JobsToRun {
  pool: pg.Pool
  tasks: TaskList
  crontab: string
  log: Log
  /** Poll interval for scheduled jobs. */
  pollMs?: number
  /** How long `stop` waits for running jobs. */
  stopTimeoutMs?: number
  /** How often the clock and the queue's times are compared. */
  clockCheckMs?: number
}

const CONCURRENCY = 4
/** Affects scheduled jobs only: NOTIFY starts jobs that are due now. */
const POLL_MS = 1000
const STOP_TIMEOUT_MS = 3000
/** With the minute until the next run, a task is at most 75 seconds late after a jump. */
const CLOCK_CHECK_MS = 15_000
/** A stopping runner counts as ended after this multiple of its timeout. */
const STOP_TIMEOUT_FACTOR = 2

/** Short, because a restarting database is back within seconds and an attempt costs only a refused connection. */
const RESTART_DELAY_MS = 500

/**
 * With a delay, even of 0, the library batches the results of jobs. Without one, a connection refused at the end of a job ends the
 * process with an unhandled rejection, and a stopping runner does not wait until the last results are written.
 */
const ORDERLY_SHUTDOWN = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/** Creates or upgrades the queue's schema. Must run before the migrations, whose triggers add jobs. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
}

/**
 * Runs the jobs of this database until stopped. Several processes may share the queue: each job is locked by one, and the others
 * or the next start take over the jobs of a killed process.
 */
export async function startJobs(jobs: JobsToRun): Promise<JobRunner> {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = await launch(jobs)

  // The runner ends when it loses the database; the worker lock of the next one unlocks its jobs.
  async function restartWhenEnded(): Promise<void> {
    while (!signal.aborted) {
      await current.ended
      if (signal.aborted) return
      await pause(RESTART_DELAY_MS, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      const next = await launch(jobs).catch((error: unknown) => {
        jobs.log.warn({ err: error }, 'Could not start the job runner; retrying')
        return null
      })
      if (next) current = next
    }
  }
  const supervision = restartWhenEnded()
  const clock = watchClock()

  async function checkClock(): Promise<void> {
    const jumpedMs = clock.jump()
    if (jumpedMs) {
      jobs.log.warn({ jumpedMs }, 'The clock jumped: scheduling again from the new time')
      // The scheduler waits for the minute after its last one. A new runner also makes up for the tasks that were missed.
      await current.stop()
    } else if (await forgetFuture(jobs.pool)) {
      jobs.log.warn({}, 'The queue had times in the future: they are now')
    }
  }
  const clockChecks = setInterval(() => {
    // A lost database ends the runner, and the next one checks again.
    checkClock().catch(() => undefined)
  }, jobs.clockCheckMs ?? CLOCK_CHECK_MS).unref()
  return {
    async stop() {
      stopping.abort()
      clearInterval(clockChecks)
      await current.stop()
      await supervision
      // `current` may be a runner that was starting when `stop` was called.
      await current.stop()
    },
  }
}

interface LaunchedRunner extends JobRunner {
  /** Resolves when the runner ends, whether `stop` was called or not. */
  ended: Promise<void>
}

async function launch(jobs: JobsToRun): Promise<LaunchedRunner> {
  const { pool, tasks, crontab, log, pollMs = POLL_MS, stopTimeoutMs = STOP_TIMEOUT_MS } = jobs
  await forgetFuture(pool)
  const events: WorkerEvents = new EventEmitter()
  let workerLock: Promise<WorkerLock> | undefined
  events.on('pool:create', ({ workerPool }) => {
    workerLock = holdWorkerLock(pool, workerPool.id)
  })
  const firstFetchFailed = waitForFailedFirstFetch(events)
  const runner = await run({
    pgPool: pool,
    taskList: withRequests(tasks),
    crontab,
    events,
    concurrency: CONCURRENCY,
    pollInterval: pollMs,
    gracefulShutdownAbortTimeout: stopTimeoutMs,
    noHandleSignals: true,
    logger: loggerFor(log),
    preset: ORDERLY_SHUTDOWN,
  }).catch(async (error: unknown) => {
    await (await workerLock)?.end()
    throw error
  })
  // `stop` throws when the runner has ended already.
  void firstFetchFailed.then(() => runner.stop()).catch(() => {})
  async function end() {
    await waitForEnd(runner.promise, { events, stopTimeoutMs }).catch((error: unknown) =>
      log.error({ err: error }, 'The job runner stopped'),
    )
    // Stops the remaining timers of a runner that timed out; throws for a runner that has ended.
    void runner.stop().catch(() => {})
    await (await workerLock)?.end()
  }
  const ended = end()
  return {
    ended,
    async stop() {
      // `stop` throws when the runner has ended already.
      await runner.stop().catch(() => {})
      await ended
    },
  }
}

/**
 * Resolves when the runner fails to fetch jobs before it has fetched once, for example because the disk is full. The library reads the
 * ids of its tasks once and keeps the error: this runner would never take a job.
 */
function waitForFailedFirstFetch(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => {
    let hasFetched = false
    const noteFetch = () => (hasFetched = true)
    events.once('worker:getJob:empty', noteFetch).once('job:start', noteFetch)
    events.on('worker:getJob:error', () => {
      if (!hasFetched) resolve()
    })
  })
}

/**
 * Waits for the runner, and throws when stopping takes too long. When the database fails while two jobs are marked as done, the
 * library counts wrong and would wait forever for the count to reach zero.
 */
async function waitForEnd(
  runner: Promise<unknown>,
  { events, stopTimeoutMs }: { events: WorkerEvents; stopTimeoutMs: number },
): Promise<void> {
  let cause: unknown
  events.on('pool:fatalError', ({ error }) => (cause = error))
  async function rejectAfterTimeout(): Promise<never> {
    await once(events, 'pool:gracefulShutdown')
    const afterMs = stopTimeoutMs * STOP_TIMEOUT_FACTOR
    await pause(afterMs, undefined, { ref: false })
    throw new Error(`The job runner did not stop within ${afterMs} ms.`, { cause })
  }
  await Promise.race([runner, rejectAfterTimeout()])
}

/** Runs all due jobs and resolves when every result is written. */
export async function runDueJobs(jobs: Omit<JobsToRun, 'crontab' | 'pollMs'>): Promise<void> {
  const { pool, tasks, log, stopTimeoutMs = STOP_TIMEOUT_MS } = jobs
  const events: WorkerEvents = new EventEmitter()
  const runner = runOnce({
    pgPool: pool,
    taskList: withRequests(tasks),
    events,
    noHandleSignals: true,
    logger: loggerFor(log),
    preset: ORDERLY_SHUTDOWN,
  })
  await waitForEnd(runner, { events, stopTimeoutMs })
}

function loggerFor(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { job: scope.jobId, task: scope.taskIdentifier, err: meta?.error }
    switch (level) {
      case 'error':
        return log.error(fields, message)
      case 'warning':
        return log.warn(fields, message)
      // The library logs every job at level info.
      case 'info':
      case 'debug':
        return log.debug(fields, message)
    }
  })
}
