import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { Logger, run, runMigrations, runOnce, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'

import { keepAlive, type Lifeline } from './lifeline.ts'

export type { TaskList } from 'graphile-worker'

export interface JobRunner {
  /** Takes no new job, lets the running ones finish, and gives back what could not. */
  stop(): Promise<void>
}

export interface JobsToRun {
  pool: pg.Pool
  tasks: TaskList
  crontab: string
  log: JobLog
  /** How often jobs that were due later are looked for. */
  pollMs?: number
  /** How long a runner that stops waits for its running jobs. */
  stopWithinMs?: number
}

export interface JobLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const CONCURRENCY = 4
/** For jobs due later; jobs due now announce themselves by NOTIFY. */
const POLL_MS = 1000
const STOP_WITHIN_MS = 3000
/** After twice that a runner that stops is taken for ended. */
const GIVEN_UP_AFTER = 2

/** A database that is gone is back within seconds; until then each try costs one refused connection. */
const RESTART_AFTER_MS = 500

/**
 * Without a delay the library lets a connection that is refused at the end of a job end the process, as an unhandled
 * rejection. With one, even of nothing, the runner stops in order instead, and is started again; and a runner that ends
 * waits until the last outcomes are written, which it otherwise leaves on their way.
 */
const STOPS_IN_ORDER = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/** Creates or renews the queue's schema. Runs before the migrations, whose triggers write jobs. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
}

/**
 * Works on the jobs of this database until stopped. Any number of processes may do so: a job is
 * locked by one of them, and the jobs of a process that was killed are taken over by the others or
 * by its own next start.
 */
export async function startJobs(jobs: JobsToRun): Promise<JobRunner> {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = await launch(jobs)

  // The runner gives up when the database goes away under its hands; what it held is freed by the next one's lifeline.
  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable no-await-in-loop -- one runner follows the other
      await current.ended
      if (signal.aborted) return
      await pause(RESTART_AFTER_MS, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      const next = await launch(jobs).catch((error: unknown) => {
        jobs.log.warn({ err: error }, 'the job runner cannot start yet')
        return null
      })
      // oxlint-enable no-await-in-loop
      if (next) current = next
    }
  }
  const kept = keepRunning()
  return {
    async stop() {
      stopping.abort()
      await current.stop()
      await kept
      // One that was just being started when the stop came.
      await current.stop()
    },
  }
}

interface LaunchedRunner extends JobRunner {
  /** Settles when the runner has ended, asked or not. */
  ended: Promise<void>
}

async function launch(jobs: JobsToRun): Promise<LaunchedRunner> {
  const { pool, tasks, crontab, log, pollMs = POLL_MS, stopWithinMs = STOP_WITHIN_MS } = jobs
  const events: WorkerEvents = new EventEmitter()
  let lifeline: Promise<Lifeline> | undefined
  events.on('pool:create', ({ workerPool }) => {
    lifeline = keepAlive(pool, workerPool.id)
  })
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    crontab,
    events,
    concurrency: CONCURRENCY,
    pollInterval: pollMs,
    gracefulShutdownAbortTimeout: stopWithinMs,
    noHandleSignals: true,
    logger: loggerFor(log),
    preset: STOPS_IN_ORDER,
  }).catch(async (error: unknown) => {
    await (await lifeline)?.end()
    throw error
  })
  async function end() {
    await endOf(runner.promise, { events, stopWithinMs }).catch((error: unknown) =>
      log.error({ err: error }, 'the job runner stopped'),
    )
    // What still runs of one that was given up, its clock at least, is told to end; one that has ended throws.
    void runner.stop().catch(() => {})
    await (await lifeline)?.end()
  }
  const ended = end()
  return {
    ended,
    async stop() {
      // A runner that has ended already says so by throwing.
      await runner.stop().catch(() => {})
      await ended
    },
  }
}

/**
 * Settles as the runner does, and throws when it has been stopping for too long. The library counts twice when two jobs cannot
 * be marked as done at the same time, as happens when the database goes away, and then waits without end for that count to be nought.
 */
async function endOf(
  runner: Promise<unknown>,
  { events, stopWithinMs }: { events: WorkerEvents; stopWithinMs: number },
): Promise<void> {
  let cause: unknown
  events.on('pool:fatalError', ({ error }) => (cause = error))
  async function giveUp(): Promise<never> {
    await once(events, 'pool:gracefulShutdown')
    const afterMs = stopWithinMs * GIVEN_UP_AFTER
    await pause(afterMs, undefined, { ref: false })
    throw new Error(`The job runner did not stop within ${afterMs} ms and is given up.`, { cause })
  }
  await Promise.race([runner, giveUp()])
}

/** Runs every job that is due and returns when none is left and each one's outcome is written. */
export async function runDueJobs(jobs: Omit<JobsToRun, 'crontab' | 'pollMs'>): Promise<void> {
  const { pool, tasks, log, stopWithinMs = STOP_WITHIN_MS } = jobs
  const events: WorkerEvents = new EventEmitter()
  const runner = runOnce({
    pgPool: pool,
    taskList: tasks,
    events,
    noHandleSignals: true,
    logger: loggerFor(log),
    preset: STOPS_IN_ORDER,
  })
  await endOf(runner, { events, stopWithinMs })
}

function loggerFor(log: JobLog): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { job: scope.jobId, task: scope.taskIdentifier, err: meta?.error }
    switch (level) {
      case 'error':
        return log.error(fields, message)
      case 'warning':
        return log.warn(fields, message)
      // The library tells of every job at info; that is detail here.
      case 'info':
      case 'debug':
        return log.debug(fields, message)
    }
  })
}
