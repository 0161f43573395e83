import { afterAll, beforeAll, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth({ limits: { attemptsPerAddress: { tries: 5, periodSeconds: 1e6 } } })
})
afterAll(() => auth.close())

it('limits the challenges that one network can store, and still gives the owner one on another network', async () => {
  const { data } = await auth.client().auth.signUp({ email: 'thandi@example.com', password: 'salt-water-42' })
  const call = (path: string, address: string, body = {}) =>
    auth.fetch(`${PUBLIC_URL}/auth/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${data.session?.access_token}`, 'X-Forwarded-For': address },
      body: JSON.stringify(body),
    })
  const { id } = await (await call('/factors', '192.0.2.1', { factor_type: 'totp' })).json()
  const challenge = async (address: string) => (await call(`/factors/${id}/challenge`, address)).status

  const statuses = []
  for (let copy = 0; copy < 8; copy += 1) statuses.push(await challenge('192.0.2.1'))

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  expect(await challenge('192.0.2.2')).toBe(200)
})
