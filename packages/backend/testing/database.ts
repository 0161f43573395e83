import { inject } from 'vitest'
import { openCopy, type TestDatabase } from './templates.ts'

export type { TestDatabase } from './templates.ts'

/** Creates a database with the backend's roles and schemas; for a test file, in `beforeAll`. */
export async function bareDatabase(): Promise<TestDatabase> {
  return openCopy(inject('superuserUrl'), 'bare')
}

/** Creates an empty database on a server that has the backend's roles. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return openCopy(inject('superuserUrl'), 'template1')
}
