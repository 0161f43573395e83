import { afterEach, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'

let auth: TestAuth | undefined
afterEach(() => auth?.close())

it('sends at most ten texts an hour for one account across all phones', async () => {
  auth = await openAuth({}, { hasPhones: true })
  const token = await signUp(auth, 1)

  const statuses = []
  // oxlint-disable-next-line no-await-in-loop -- one attacker sends one call after the other
  for (let phone = 0; phone < 15; phone += 1) statuses.push(await textTo(auth, phone, { token }))

  expect(statuses.filter((status) => status === 429).length).toBe(5)
  expect(auth.texts.length).toBe(10)
})

it.each([
  { where: 'one network address', addressOf: () => '192.0.2.1' },
  { where: 'the networks of one IPv6 site', addressOf: (account: number) => `2001:db8:1:${account}::1` },
])('sends at most twenty texts an hour from $where across all accounts', async ({ addressOf }) => {
  auth = await openAuth({}, { hasPhones: true })

  for (let account = 0; account < 5; account += 1) {
    const token = await signUp(auth, account)
    const sender = { token, address: addressOf(account) }
    for (let phone = 0; phone < 6; phone += 1) await textTo(auth, 10 * account + phone, sender)
  }

  expect(auth.texts.length).toBe(20)
})

it('sends no more texts a day to new phones than the shop allows across all accounts and network addresses', async () => {
  const limits = { setupTextsPerShop: { tries: 8, periodSeconds: 86_400 } }
  auth = await openAuth({ limits }, { hasPhones: true })

  for (let account = 0; account < 12; account += 1) {
    const token = await signUp(auth, account)
    await textTo(auth, account, { token, address: `192.0.2.${account}` })
  }

  expect(auth.texts.length).toBe(8)
})

async function signUp(there: TestAuth, at: number): Promise<string> {
  const { data } = await there
    .client()
    .auth.signUp({ email: `attacker-${at}@example.com`, password: 'Correct-Horse-7' })
  return data.session?.access_token ?? ''
}

interface Sender {
  token: string
  address?: string
}

/** Enrols a stranger's phone and requests a code. Returns the status of the second call. */
async function textTo(there: TestAuth, phone: number, { token, address = '192.0.2.1' }: Sender) {
  const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': address }
  const post = (path: string, body: object) =>
    there.fetch(`${PUBLIC_URL}/auth/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

  const name = `phone ${phone}`
  const enrolled = await post('/factors', {
    factor_type: 'phone',
    friendly_name: name,
    phone: `+2782555${1000 + phone}`,
  })
  const { id } = await enrolled.json()
  const { status } = await post(`/factors/${id}/challenge`, {})
  // An account may have only ten factors, so remove this one.
  await there.fetch(`${PUBLIC_URL}/auth/v1/factors/${id}`, { method: 'DELETE', headers })
  return status
}
