import type { Application } from '../../prepare-application.ts'
import { sourceIn } from '../../upgrade/testing/sql-folders.ts'

/** An application with the SQL files of a folder. */
export function smallApplication(folder: string): Application {
  return {
    sourceFor: () => sourceIn(folder),
    release: { version: '1.0.0', compatibleFrom: '1.0.0' },
    finish: async () => {},
  }
}
