import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Returns the content of a file, which only this user can read. Without a file, or with an empty one, as a full disk leaves it, writes `content`.
 * Of several processes that do so at once, one writes, and all return its content. A power cut leaves the whole file or none.
 */
export async function loadOrCreate(path: string, content: string | Uint8Array): Promise<Buffer> {
  const present = await readFile(path).catch(nullIfMissing)
  if (present && present.length > 0) return present
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    await writeFile(unfinished, content, { mode: 0o600, flush: true })
    await (present ? rename(unfinished, path) : linkOrCopy(unfinished, path))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncFolder(dirname(path))
  return readFile(path)
}

/** Fails with EEXIST when another process was first. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  // Some network drives have no links.
  const refused = await link(from, to).then(() => null, codeOf)
  if (refused && refused !== 'EEXIST') await copyFile(from, to, constants.COPYFILE_EXCL)
}

/** Some network drives cannot. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  await opened
    .sync()
    .catch(() => undefined)
    .finally(() => opened.close())
}

function nullIfMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}
