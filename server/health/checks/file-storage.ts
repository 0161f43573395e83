import type { FileStore } from '@saltfreak/backend'
import type { HealthCheck } from '../finding.ts'

const FILE_STORAGE = 'file storage'

/** The S3 server answers; files on the disk need no check of their own. */
export function fileStorageChecks({ kind, check }: Pick<FileStore, 'kind' | 'check'>): HealthCheck[] {
  if (kind === 'disk') return []
  return [
    {
      component: FILE_STORAGE,
      check: () =>
        check().then(
          () => ({
            component: FILE_STORAGE,
            state: 'ok',
            message: 'Pictures and films are in the S3 bucket.',
          }),
          (error: unknown) => ({
            component: FILE_STORAGE,
            state: 'failed',
            message: 'Pictures and films cannot be shown or uploaded.',
            action: `${error instanceof Error ? error.message : String(error)}.`,
          }),
        ),
    },
  ]
}
