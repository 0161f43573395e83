import { createHash } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import type { FileStore } from './files/file-store.ts'
import { objectKey } from './objects/object-row.ts'

export interface FilesToMove {
  owner: Pool
  from: FileStore
  to: FileStore
  /** A text file that remembers what was verified, so that an interrupted move goes on where it stopped. */
  journal: string
}

export interface MovedFiles {
  copied: number
  /** Verified before, in this or in an earlier run. */
  present: number
  /** A sentence for each file that is missing or damaged. */
  problems: string[]
}

const AT_ONCE = 4

const fileRow = z.object({ name: z.string(), version: z.string(), eTag: z.string() })

type FileRow = z.infer<typeof fileRow>

/**
 * Copies every file of the database from one store to another, and reads each copy again to compare its hash. Removes nothing from the
 * source. The application may run; repeat the call for files that were uploaded meanwhile.
 */
export async function moveFiles({ owner, from, to, journal }: FilesToMove): Promise<MovedFiles> {
  const rows = await selectRows(owner, fileRow, [
    `select distinct on (version) bucket_id || '/' || name as name, version, coalesce(metadata ->> 'eTag', '') as "eTag"
     from storage.objects where version is not null and metadata is not null order by version`,
  ])
  const verified = new Set((await readFile(journal, 'utf8').catch(() => '')).split('\n'))
  const sizes = new Map<string, number>()
  for await (const { key, size } of to.list('objects')) sizes.set(key, size)
  const result: MovedFiles = { copied: 0, present: 0, problems: [] }

  async function move(row: FileRow): Promise<void> {
    const key = objectKey(row.version)
    const line = `${row.version} ${sizes.get(key)}`
    if (verified.has(line)) return void (result.present += 1)
    const outcome = await moveFile(row, { from, to, isPresent: sizes.has(key) })
    if ('problem' in outcome) return void result.problems.push(`${row.name} ${outcome.problem}`)
    result[outcome.isCopied ? 'copied' : 'present'] += 1
    await appendFile(journal, `${row.version} ${outcome.size}\n`)
  }
  for (let at = 0; at < rows.length; at += AT_ONCE) await Promise.all(rows.slice(at, at + AT_ONCE).map(move))
  return result
}

interface Places extends Pick<FilesToMove, 'from' | 'to'> {
  /** An earlier run may have been interrupted before it verified the copy. */
  isPresent: boolean
}

type Outcome = { isCopied: boolean; size: number } | { problem: string }

async function moveFile({ version, eTag }: FileRow, { from, to, isPresent }: Places): Promise<Outcome> {
  const key = objectKey(version)
  const known = /^"([\da-f]{32})"$/.exec(eTag)?.[1]
  const original = (await from.find(key)) ? await fingerprintOf(from, key) : null
  const expected = known ?? original?.hash
  if (isPresent) {
    const copy = await fingerprintOf(to, key)
    if (copy.hash === expected) return { isCopied: false, size: copy.size }
  }
  if (!original) return { problem: isPresent ? 'is damaged, and the source lacks it' : 'is in neither place' }
  if (original.hash !== expected) return { problem: 'is damaged in the source: restore it from a backup' }
  await to.write(key, await from.read(key))
  const copy = await fingerprintOf(to, key)
  if (copy.hash === expected && copy.size === original.size) return { isCopied: true, size: copy.size }
  await to.remove(key)
  return { problem: 'differs from its copy: repeat the move' }
}

async function fingerprintOf(files: FileStore, key: string): Promise<{ hash: string; size: number }> {
  const hash = createHash('md5')
  let size = 0
  for await (const chunk of await files.read(key)) {
    hash.update(chunk)
    size += chunk.byteLength
  }
  return { hash: hash.digest('hex'), size }
}
