import { join } from 'node:path'

import type { S3Settings } from '../s3/s3-settings.ts'
import { diskFiles } from './disk-files.ts'
import type { FileStore } from './file-store.ts'
import type { Log } from '#backend/process/log.ts'

export interface FilesPlace {
  /** Files are stored in `storage/` below it, unless there is a bucket. */
  dataDir: string
  s3: S3Settings | null
}

/**
 * Throws a FileStoreProblem with one sentence for the operator when the bucket cannot be used. With `isChecked`, relies on another process's
 * check, so that a process can be replaced while the S3 server does not answer.
 */
export async function openFiles(
  { dataDir, s3 }: FilesPlace,
  log: Pick<Log, 'error'>,
  { isChecked = false } = {},
): Promise<FileStore> {
  if (!s3) return filesOf(dataDir)
  // Loaded only when configured: the client library takes a third of a second and 35 MB.
  const { openS3Files } = await import('../s3/s3-files.ts')
  return openS3Files(s3, log, { isChecked })
}

/** Returns the files of a data folder. */
export function filesOf(dataDir: string): FileStore {
  return diskFiles(join(dataDir, 'storage'))
}
