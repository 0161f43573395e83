import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

import { isAbortedRequest } from '#backend/http/aborted-request.ts'

/** Logs JSON lines, or readable lines in a terminal. */
export function createLog(): Logger {
  return process.stdout.isTTY
    ? pino(LOG_OPTIONS, { write: (line) => console.log(formatForTerminal(line)) })
    : pino(LOG_OPTIONS, buffered(destination({ sync: false })))
}

/** Logs an aborted request at level info and without a stack trace: a lost mobile connection is not a server error. */
export const LOG_OPTIONS: LoggerOptions = {
  level: 'info',
  base: null,
  redact: ['*.password', '*.token', '*.passphrase', '*.secret'],
  hooks: {
    logMethod(line, write) {
      const [fields] = line as unknown[]
      if (!hasError(fields) || !isAbortedRequest(fields.err)) {
        write.apply(this, line)
        return
      }
      const { err: _, ...rest } = fields
      this.info(rest, 'Request aborted by the client')
    },
  },
}

function hasError(fields: unknown): fields is { err: unknown } {
  return typeof fields === 'object' && fields !== null && 'err' in fields
}

/** Collects the lines of many requests without a visible delay. */
const FLUSH_INTERVAL_MS = 20

/**
 * Batches lines and writes them asynchronously. Single writes cost a busy process a tenth of its time; synchronous writes block the
 * process while the log's reader is slow.
 */
function buffered(output: ReturnType<typeof destination>): DestinationStream {
  let lines = ''
  const flush = () => {
    if (lines) output.write(lines)
    lines = ''
  }
  process.on('exit', () => {
    flush()
    output.flushSync()
  })
  return {
    write(line) {
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
