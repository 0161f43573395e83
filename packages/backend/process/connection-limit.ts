import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Log } from './log.ts'

/** A start reads about 120 files at once. */
const MIN_FILES = 256
/** The rest is for the database, stored files and other servers. */
const CONNECTION_SHARE = 0.75
const LOG_INTERVAL_MS = 60_000

/** The process may open too few files; the message tells the operator what to do. */
export class TooFewFiles extends Error {}

/** Throws when this process may open too few files to start. Returns how many it may open; Infinity where that is unknown. */
export async function requireOpenFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  if (files >= MIN_FILES) return files
  throw new TooFewFiles(
    `this process may open ${files} files only: allow at least 1024, for example with ulimit -n 1024`,
  )
}

/**
 * Closes new connections while there are too many, before the process runs out of file descriptors: without them it could open
 * no file and no database connection. Logs that, and failures to accept a connection, once a minute.
 */
export function limitConnections(
  server: Server,
  { openFiles, log }: { openFiles: number; log: Pick<Log, 'error'> },
): void {
  if (openFiles !== Infinity) server.maxConnections = Math.floor(openFiles * CONNECTION_SHARE)
  let loggedAt = -Infinity
  const report = (fields: object) => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    log.error({ openFiles, ...fields }, 'Too many connections: new ones are closed')
  }
  server.on('drop', () => report({ connections: server.maxConnections }))
  server.on('error', ({ message }) => {
    // Before that, it is a port that cannot be opened.
    if (server.listening) report({ reason: message })
  })
}
