import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hashOfSql } from './source.ts'

/** Contains the hash of every released versioned file. */
const LIST = 'checksums.json'

/**
 * Returns one line for every versioned file that is edited, missing or not listed. Databases have applied these files, so an
 * edit would make their schemas differ.
 */
export async function checksumProblems(folder: string): Promise<string[]> {
  const [listed, actual] = await Promise.all([readList(folder), readHashes(folder)])
  const problems = Object.keys({ ...listed, ...actual })
    .toSorted()
    .map((name) => problemOf(name, listed[name], actual[name]))
  return problems.filter((problem) => problem !== null)
}

/** Adds new files to the list and returns their names. Throws when a listed file has changed or is missing. */
export async function freezeNewFiles(folder: string): Promise<string[]> {
  const [listed, actual] = await Promise.all([readList(folder), readHashes(folder)])
  const changed = (await checksumProblems(folder)).filter((problem) => !problem.endsWith(NOT_LISTED))
  if (changed.length) throw new Error(changed.join('\n'))
  const added = Object.keys(actual).filter((name) => !(name in listed))
  if (added.length) await writeFile(join(folder, LIST), `${JSON.stringify(actual, null, 2)}\n`)
  return added
}

const NOT_LISTED = 'is not listed in checksums.json: run npm run migrations:freeze'

function problemOf(name: string, listed: string | undefined, actual: string | undefined): string | null {
  if (actual === undefined) return `${name} is missing: put it back, migrations stay for ever`
  if (listed === undefined) return `${name} ${NOT_LISTED}`
  return listed === actual ? null : `${name} was edited: put it back as it was and write a new file`
}

async function readList(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, LIST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  return z.record(z.string(), z.string()).parse(JSON.parse(text))
}

async function readHashes(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const entries = await Promise.all(
    names.map(async (name) => [name, hashOfSql(await readFile(join(folder, name), 'utf8'))] as const),
  )
  return Object.fromEntries(entries)
}
