import { constants, copyFile, link, open, readFile, rename } from 'node:fs/promises'
import { writeDurably } from './write-durably.ts'

/**
 * Returns the content of a file, which only this user can read. Without a file, or with an empty one, as a full disk leaves it, writes `content`.
 * Of several processes that find no file at once, one writes, and all return its content. A power cut leaves the whole file or none; on a drive
 * without links, one during the write may leave a part.
 */
export async function loadOrCreate(path: string, content: string | Uint8Array): Promise<Buffer> {
  const present = await readFile(path).catch(nullIfMissing)
  if (present && present.length > 0) return present
  await writeDurably(path, content, { mode: 0o600, move: present ? rename : linkOrCopy })
  return readFile(path)
}

/** Keeps the file of another process that was first. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  const refused = await link(from, to).then(() => null, codeOf)
  if (!refused || refused === 'EEXIST') return
  // Some network drives have no links.
  await copyDurably(from, to).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL)
  const copy = await open(to, 'r+')
  await copy.sync().finally(() => copy.close())
}

function nullIfMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}
