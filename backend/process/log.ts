import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

import { isAbortedRequest } from '#backend/http/aborted-request.ts'

/** JSON lines for machines; in a terminal, lines for whoever sits before it. */
export function createLog(): Logger {
  return process.stdout.isTTY
    ? pino(LOG_OPTIONS, { write: (line) => console.log(readable(line)) })
    : pino(LOG_OPTIONS, gathered(destination({ sync: false })))
}

/**
 * A client that goes away in the middle of its request is no failure of ours, wherever its body was being read: one line without a
 * stack, or a phone in a lift would look like a broken server.
 */
export const LOG_OPTIONS: LoggerOptions = {
  level: 'info',
  base: null,
  redact: ['*.password', '*.token', '*.passphrase', '*.secret'],
  hooks: {
    logMethod(line, write) {
      const [facts] = line as unknown[]
      if (!isFailure(facts) || !isAbortedRequest(facts.err)) {
        write.apply(this, line)
        return
      }
      const { err: _, ...rest } = facts
      this.info(rest, 'a request broke off before all of it had arrived')
    },
  },
}

function isFailure(facts: unknown): facts is { err: unknown } {
  return typeof facts === 'object' && facts !== null && 'err' in facts
}

/** Long enough for the lines of many requests, short enough that nobody who watches a log notices. */
const GATHER_MS = 20

/**
 * Lines are written some at a time: one by one, or turn by turn, they cost a busy process a tenth of its time, a thread woken for
 * each. And they are written beside the work: a write that has to succeed puts the whole process to sleep while whoever reads is slow.
 */
function gathered(output: ReturnType<typeof destination>): DestinationStream {
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
      if (!lines) setTimeout(flush, GATHER_MS)
      lines += line
    },
  }
}

function readable(line: string): string {
  const { time, msg, level, err, ...facts } = JSON.parse(line)
  const clock = new Date(time).toISOString().slice(11, 19)
  const mark = level >= 50 ? '✗ ' : level >= 40 ? '! ' : ''
  const details = Object.entries(facts).map(([name, value]) => `${name}=${String(value)}`)
  return [clock, `${mark}${msg}`, ...details, err?.stack ?? ''].filter(Boolean).join(' ')
}
