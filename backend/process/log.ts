import { pino, type Logger } from 'pino'

/** JSON lines for machines; in a terminal, lines for whoever sits before it. */
export function createLog(): Logger {
  const options = { level: 'info', base: null, redact: ['*.password', '*.token', '*.passphrase', '*.secret'] }
  return process.stdout.isTTY
    ? pino(options, { write: (line) => console.log(readable(line)) })
    : pino(options)
}

function readable(line: string): string {
  const { time, msg, level, err, ...facts } = JSON.parse(line)
  const clock = new Date(time).toISOString().slice(11, 19)
  const mark = level >= 50 ? '✗ ' : level >= 40 ? '! ' : ''
  const details = Object.entries(facts).map(([name, value]) => `${name}=${String(value)}`)
  return [clock, `${mark}${msg}`, ...details, err?.stack ?? ''].filter(Boolean).join(' ')
}
