import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuth } from '#backend/auth/create-auth.ts'
import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { freePort } from '#backend/process/free-port.ts'
import { unavailableResponse, whyUnavailable } from './unavailable.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth()
})
afterAll(() => auth.close())

const failure = (work: Promise<unknown>) => work.then(String, (error: Error) => error)

it('distinguishes an exhausted pool and a closed port from a refused statement', async () => {
  const small = new Pool({ ...auth.database.owner.options, max: 1 })
  const closed = new Pool({ host: '127.0.0.1', port: await freePort() })
  const taken = await small.connect()
  small.options.connectionTimeoutMillis = 20

  const outcomes = [
    await failure(small.query('select 1')),
    await failure(closed.query('select 1')),
    await failure(taken.query('no statement')),
  ]

  taken.release()
  await Promise.all([small.end(), closed.end()])
  expect(outcomes.map((error) => error instanceof Error && whyUnavailable(error))).toEqual([
    'busy',
    'lost',
    null,
  ])
})

it('responds with 503 and Retry-After from the auth service while the database is unreachable, so that clients retry', async () => {
  const owner = new Pool({ host: '127.0.0.1', port: await freePort() })
  const { keys, database } = auth
  const service = createAuth({
    database: { ...database, owner },
    keys,
    publicUrl: PUBLIC_URL,
    sendMail: async () => undefined,
    log: { error: () => undefined },
  })

  const answer = await service.request('/token?grant_type=password', {
    method: 'POST',
    body: JSON.stringify({ email: 'angler@example.com', password: 'salt-water-42' }),
  })

  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('10')
  expect(await answer.json()).toMatchObject({ error_code: 'request_timeout' })
  await owner.end()
})

it('keeps the 503 of an unreachable database out of caches', () => {
  const response = unavailableResponse(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))

  expect(response?.status).toBe(503)
  expect(response?.headers.get('Cache-Control')).toBe('no-store')
})
