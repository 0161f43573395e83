import type { ClientBase } from 'pg'
import { inject } from 'vitest'
import { openCopy, type TestDatabase } from '@saltfreak/backend/testing'

export type { TestDatabase } from '@saltfreak/backend/testing'

/** Creates a database with the shop's tables and seed; for a test file, in `beforeAll`. */
export async function shopDatabase(): Promise<TestDatabase> {
  const problem = inject('shopProblem')
  if (problem) throw new Error(problem)
  return openCopy(inject('superuserUrl'), 'shop')
}

/** Creates a database with the backend's roles and schemas only, or an empty one on a server that has the roles. */
export async function databaseWithoutShop(template: 'bare' | 'template1'): Promise<TestDatabase> {
  return openCopy(inject('superuserUrl'), template)
}

export type Who = 'anon' | 'service_role' | ({ sub: string } & Record<string, unknown>)

/** Lets `client` act as a visitor, the service or a signed-in person until the open transaction ends. */
export async function as(client: ClientBase, who: Who): Promise<void> {
  const claims = typeof who === 'string' ? { role: who } : { role: 'authenticated', ...who }
  await client.query(`select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`, [
    JSON.stringify(claims),
    claims.role,
  ])
}
