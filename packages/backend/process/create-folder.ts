import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isFileMissing } from './is-file-missing.ts'

/**
 * Creates a folder and those above it, unless they exist. Throws the error of the system. Node's own `recursive` never ends where the
 * system answers ENOENT although the folder above exists, as in /proc and below an automounter.
 */
export async function createFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (await isFolder(path)) return
    const parent = dirname(path)
    if (!isFileMissing(error) || (await isFolder(parent))) throw error
    await createFolder(parent, mode)
    await createFolder(path, mode)
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
