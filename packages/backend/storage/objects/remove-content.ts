import { randomUUID } from 'node:crypto'
import { z } from 'zod'

import { whyUnavailable } from '#backend/database/unavailable.ts'
import type { FileStore } from '../files/file-store.ts'
import type { StorageParts } from '../parts.ts'
import { objectKey, removeDerivatives } from './object-row.ts'

/** Lists of versions whose files will be removed. */
export const REMOVALS = 'removals'

export const removalList = z.array(z.string())

export interface Removal {
  /** Call after the commit: bytes without a row are swept, but a row without bytes is data loss. */
  finish(): Promise<void>
}

/**
 * Writes a list of versions whose rows the running transaction has deleted or replaced, so that the sweep removes their files if `finish`
 * fails or the process is killed.
 */
export async function planRemoval(files: FileStore, versions: string[]): Promise<Removal> {
  if (versions.length === 0) return { finish: async () => undefined }
  const list = `${REMOVALS}/${randomUUID()}`
  await files.write(list, Buffer.from(JSON.stringify(versions))).catch(ignoreIfFull)
  return {
    async finish() {
      try {
        for (const version of versions) await removeContent(files, version)
        await files.remove(list)
      } catch {
        // The rows are deleted, so nothing is left to refuse. The sweep repeats what failed and reports it.
      }
    },
  }
}

/** A full disk must not refuse the deletions that would free it. */
function ignoreIfFull(error: unknown): void {
  if (whyUnavailable(error) !== 'full') throw error
}

/** Removes the bytes last: the sweep finds what a failure leaves by them. */
export async function removeContent(files: FileStore, version: string): Promise<void> {
  await removeDerivatives(files, version)
  await files.remove(objectKey(version))
}

/**
 * Removes the bytes of an upload that failed, unless it has a row: a commit may have succeeded although its response was lost. The sweep
 * removes what this leaves.
 */
export async function discardContent({ database, files }: StorageParts, version: string): Promise<void> {
  try {
    const { rowCount } = await database.owner.query('select from storage.objects where version = $1', [
      version,
    ])
    if (rowCount === 0) await removeContent(files, version)
  } catch {
    // The caller reports the failure of the upload itself.
  }
}
