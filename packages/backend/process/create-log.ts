import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

import { type Unavailable, whyUnavailable } from '#backend/database/unavailable.ts'
import { isAbortedRequest } from '#backend/http/aborted-request.ts'
import { currentRequestId } from '#backend/http/request-context.ts'
import { errorMessage } from './error-message.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

/**
 * Logs JSON lines, or readable lines in a terminal. `base`: fields of every line, which distinguish processes that share their output.
 */
export function createLog(
  level: (typeof LOG_LEVELS)[number] = 'info',
  base: LoggerOptions['base'] = null,
): Logger {
  const options = { ...logOptions(), level, base: base ?? null }
  return process.stdout.isTTY
    ? pino(options, { write: (line) => console.log(formatForTerminal(line)) })
    : pino(options, buffered(base ? ATOMIC_WRITE_BYTES : MAX_WRITE_BYTES))
}

const UNAVAILABLE_INTERVAL_MS = 60_000

const UNAVAILABLE: Record<Unavailable, string> = {
  lost: 'The database does not answer: what needs it is refused',
  busy: 'The database has no free connection, or the process no free file: requests are refused',
  full: 'The disk is full: nothing can be saved',
}

/**
 * Logs an aborted request at level info and without a stack trace: a lost mobile connection is not a server error. Logs a database
 * that is unavailable once a minute: each request and each background task would report the same cause. Each line names the
 * request that caused it.
 */
export function logOptions(): LoggerOptions {
  const unavailable = new Map<Unavailable, { loggedAt: number; errors: number }>()
  return {
    level: 'info',
    base: null,
    mixin: () => {
      const id = currentRequestId()
      return id === undefined ? {} : { id }
    },
    redact: ['*.password', '*.token', '*.passphrase', '*.secret'],
    hooks: {
      logMethod(line, write) {
        const [fields] = line as unknown[]
        if (!hasError(fields)) return write.apply(this, line)
        const { err, ...rest } = fields
        if (isAbortedRequest(err)) return this.info(rest, 'Request aborted by the client')
        const why = whyUnavailable(err)
        if (!why) return write.apply(this, line)

        const { loggedAt, errors } = unavailable.get(why) ?? { loggedAt: -Infinity, errors: 0 }
        const now = performance.now()
        const isDue = now - loggedAt >= UNAVAILABLE_INTERVAL_MS
        unavailable.set(why, isDue ? { loggedAt: now, errors: 0 } : { loggedAt, errors: errors + 1 })
        const reason = errorMessage(err)
        if (isDue) this.error({ reason, ...(errors && { more: errors }) }, UNAVAILABLE[why])
      },
    },
  }
}

function hasError(fields: unknown): fields is { err: unknown } {
  return typeof fields === 'object' && fields !== null && 'err' in fields
}

/** Collects the lines of many requests without a visible delay. */
const FLUSH_INTERVAL_MS = 20
/** Enough for a thread to write its lines, unless the log's reader is slow. */
const WRITE_MS = 250
/** Of processes that share a pipe: a longer write could end up in the middle of another process's line. */
const ATOMIC_WRITE_BYTES = 4096
/** Of a process that has its output to itself: one write for all lines of the interval costs a busy one a fifth less time. */
const MAX_WRITE_BYTES = 64 * 1024

/**
 * Batches lines and writes them asynchronously. Single writes cost a busy process a tenth of its time; synchronous writes block the
 * process while the log's reader is slow.
 */
function buffered(maxWrite: number): DestinationStream {
  const output = destination({ sync: false, maxWrite })
  let lines = ''
  let isWriting = false
  output.on('drain', () => (isWriting = false))
  const flush = () => {
    if (!lines) return
    isWriting = true
    output.write(lines)
    lines = ''
  }
  process.on('exit', () => {
    // Otherwise the last lines would overtake those that a thread is still writing.
    if (isWriting) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITE_MS)
    output.flushSync()
    // A second destination, because `write` of the first one would leave the lines to a thread.
    destination({ sync: true }).write(lines)
  })
  return {
    write(line) {
      if (lines.length + line.length > maxWrite) flush()
      if (!lines) setTimeout(flush, FLUSH_INTERVAL_MS)
      lines += line
    },
  }
}

function formatForTerminal(line: string): string {
  const { time, msg, level, err, ...fields } = JSON.parse(line)
  const clock = new Date(time).toISOString().slice(11, 19)
  const mark = level >= 50 ? '✗ ' : level >= 40 ? '! ' : ''
  const details = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)
  return [clock, `${mark}${msg}`, ...details, err?.stack ?? ''].filter(Boolean).join(' ')
}
