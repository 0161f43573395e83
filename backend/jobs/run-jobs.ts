import { EventEmitter } from 'node:events'

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

/**
 * Without a delay the library writes a job's end once and lets a refused connection end the process as an unhandled
 * rejection; with one, even of nothing, it tries again until the database is back.
 */
const RETRIES_WITHOUT_DATABASE = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/** Creates or renews the queue's schema. Runs before the migrations, whose triggers write jobs. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
}

/**
 * Works on the jobs of this database until stopped. Any number of processes may do so: a job is
 * locked by one of them, and the jobs of a process that was killed are taken over by the others or
 * by its own next start.
 */
export async function startJobs({ pool, tasks, crontab, log }: JobsToRun): Promise<JobRunner> {
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
    pollInterval: POLL_MS,
    gracefulShutdownAbortTimeout: STOP_WITHIN_MS,
    noHandleSignals: true,
    logger: loggerFor(log),
    preset: RETRIES_WITHOUT_DATABASE,
  })
  // A rejection means that the runner gave up; the process must not seem healthy without it.
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner stopped'))
  return {
    async stop() {
      await runner.stop()
      await (await lifeline)?.end()
    },
  }
}

/** Runs every job that is due and returns when none is left. */
export async function runDueJobs({ pool, tasks, log }: Omit<JobsToRun, 'crontab'>): Promise<void> {
  await runOnce({ pgPool: pool, taskList: tasks, noHandleSignals: true, logger: loggerFor(log) })
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
