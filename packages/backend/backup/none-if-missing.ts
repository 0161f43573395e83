import { DatabaseProblem } from '#backend/database/database-problem.ts'

/**
 * Handles the errors of `readdir(folder)` in a folder of backups: a missing folder has no entries. Any other error, such as EACCES after the
 * drive was moved to another machine, or EIO, becomes a DatabaseProblem: backups that cannot be read would otherwise count as none.
 */
export function noneIfMissing(folder: string): (error: NodeJS.ErrnoException) => never[] {
  return (error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw new DatabaseProblem(
      `${error.path ?? folder} cannot be read (${error.code}): check its drive, and let this user own its files`,
      { cause: error },
    )
  }
}
