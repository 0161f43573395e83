import { Client, type ClientBase } from 'pg'
import { inject } from 'vitest'
import { openCopy, type TestDatabase } from '@saltfreak/backend/testing'
import { bindMail } from '#emails/render-mail.ts'

export type { TestDatabase } from '@saltfreak/backend/testing'

/** Creates a database with the shop's tables and seed; for a test file, in `beforeAll`. */
export async function shopDatabase(): Promise<TestDatabase> {
  const problem = inject('shopProblem')
  if (problem) throw new Error(problem)
  const copy = await openCopy(inject('superuserUrl'), 'shop')
  return { ...copy, close: () => requireWholeMails(copy.superuserUrl).finally(copy.close) }
}

async function requireWholeMails(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await requireMailProps(client).finally(() => client.end())
}

/** Throws when SQL has queued a mail without a prop of its template: it would fail only when it is sent. */
export async function requireMailProps(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ template: string; props: unknown }>(
    // Tests that insert mails themselves choose plain keys, of which one may be sent again.
    `select template, props from public.mails where key like '%:%' and key not like 'again:%'`,
  )
  for (const { template, props } of rows) bindMail(template, props, 'https://shop.example')
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
