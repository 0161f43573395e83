import { destination, pino, type DestinationStream, type Logger } from 'pino'

/** JSON lines for machines; in a terminal, lines for whoever sits before it. */
export function createLog(): Logger {
  const options = { level: 'info', base: null, redact: ['*.password', '*.token', '*.passphrase', '*.secret'] }
  return process.stdout.isTTY
    ? pino(options, { write: (line) => console.log(readable(line)) })
    : pino(options, gathered(destination({ sync: false })))
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
