import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileMissing } from '#backend/process/is-file-missing.ts'
import { writeDurably } from '#backend/process/write-durably.ts'
import { DatabaseProblem } from '../database-problem.ts'
import { nameOfDatabase } from '../servers/addresses.ts'
import type { DatabasePlace } from '../with-server.ts'

const EMBEDDED = 'the embedded one'

/**
 * Notes in the data folder where its database went, so that the shop does not sell on the old one by mistake. The old database
 * itself stays as it was.
 */
export async function markMoved(dataDir: string, to: DatabasePlace): Promise<void> {
  await writeDurably(markFile(dataDir), `${nameOf(to)}\n`, { mode: 0o644 })
}

/** Whether the mark of this data folder names the place. */
export async function isMarkedAsMoved(dataDir: string, to: DatabasePlace): Promise<boolean> {
  return (await readMark(dataDir)) === nameOf(to)
}

/** Throws when the database was moved to another place than this one. */
export async function requireNotMoved(place: DatabasePlace): Promise<void> {
  const path = markFile(place.dataDir)
  const present = await readMark(place.dataDir)
  if (!present || present === nameOf(place)) return
  throw new DatabaseProblem(
    `the database was moved to ${present}: ${present === EMBEDDED ? 'unset DATABASE_URL' : 'let DATABASE_URL name it'}, or delete ${path} to go on with the old one`,
  )
}

/** Returns what the mark names; '' without one. */
async function readMark(dataDir: string): Promise<string> {
  const mark = await readFile(markFile(dataDir), 'utf8').catch((error: unknown) => {
    if (isFileMissing(error)) return ''
    throw error
  })
  return mark.trim()
}

function nameOf({ databaseUrl }: DatabasePlace): string {
  return databaseUrl ? nameOfDatabase(databaseUrl) : EMBEDDED
}

function markFile(dataDir: string): string {
  return join(dataDir, 'database-moved.txt')
}
