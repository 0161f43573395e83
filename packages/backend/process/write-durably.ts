import { randomUUID } from 'node:crypto'
import { chmod, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

interface DurableOptions {
  mode: number
  /** Gives the written file its name; by default in the place of an older one. */
  move?: (from: string, to: string) => Promise<void>
}

/** Writes a file, of which a power cut leaves the whole or none; once it has returned, the whole. */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  { mode, move = rename }: DurableOptions,
): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.unfinished`
  try {
    await writeFile(unfinished, content, { mode, flush: true })
    // Root's umask may close it to the user of the shop. Drives without permissions refuse, and need none.
    await chmod(unfinished, mode).catch(() => undefined)
    await move(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncFolder(dirname(path))
}

/** Makes the names in a folder last through a power cut. Some network drives cannot. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  await opened
    .sync()
    .catch(() => undefined)
    .finally(() => opened.close())
}
