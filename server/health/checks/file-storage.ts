import { errorMessage, type FileStore } from '@saltfreak/backend'
import { failed, type HealthCheck, ok } from '../finding.ts'

/** The S3 server answers; files on the disk need no check of their own. */
export function fileStorageChecks({ kind, check }: Pick<FileStore, 'kind' | 'check'>): HealthCheck[] {
  if (kind === 'disk') return []
  return [
    {
      component: 'file storage',
      check: () =>
        check().then(
          () => ok('Pictures and films are in the S3 bucket.'),
          (error: unknown) =>
            failed('Pictures and films cannot be shown or uploaded.', `${errorMessage(error)}.`),
        ),
    },
  ]
}
