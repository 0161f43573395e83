import { afterAll, beforeAll, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts, tokensIn } from './attacked-accounts.ts'

/** The attack: use up the limit for texts to the owner's phone, the second factor, so that no code reaches the owner. */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({}, { hasPhones: true })
})
afterAll(() => accounts.close())

const HOME = '192.0.2.1'
let people = 0

/** Skips the pause of a minute between texts to one factor, which is a separate limit. */
async function challenge(bearer: string, factorId: string, from: string) {
  await accounts.database.owner.query('update auth.mfa_factors set last_challenged_at = null')
  return accounts.call('POST', `/factors/${factorId}/challenge`, { bearer, from, body: {} })
}

async function enrol(bearer: string, phone: string): Promise<string> {
  const body = { factor_type: 'phone', friendly_name: 'phone', phone }
  return (await accounts.call('POST', '/factors', { bearer, body })).body.id
}

/** An owner whose second factor is a phone that was verified from the home network. */
async function anOwner() {
  people += 1
  const [email, phone] = [`owner${people}@example.com`, `+2782555${1000 + people}`]
  const { access } = await accounts.signUp(email)
  const factorId = await enrol(access, phone)
  const { body } = await challenge(access, factorId, HOME)
  const code = accounts.texts.at(-1)?.code
  await accounts.call('POST', `/factors/${factorId}/verify`, {
    bearer: access,
    from: HOME,
    body: { challenge_id: body.id, code },
  })
  return { email, phone, factorId }
}

const signIn = async (email: string) => tokensIn((await accounts.signIn(email)).body).access

it('texts codes to the owner at home while a thief with the password requests codes elsewhere', async () => {
  const { email, factorId } = await anOwner()
  const thief = await signIn(email)
  const statuses = []
  for (let text = 0; text < 12; text += 1) {
    statuses.push((await challenge(thief, factorId, `198.51.100.${text}`)).status)
  }
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5)
  expect(statuses.at(-1)).toBe(429)

  expect((await challenge(await signIn(email), factorId, HOME)).status).toBe(200)
})

it('texts codes to the owner at home while a stranger requests codes for the same number', async () => {
  const { email, phone, factorId } = await anOwner()
  const { access: stranger } = await accounts.signUp('stranger@example.com')
  const planted = await enrol(stranger, phone)
  const statuses = []
  for (let text = 0; text < 8; text += 1) {
    statuses.push((await challenge(stranger, planted, '198.51.100.9')).status)
  }
  expect(statuses.at(-1)).toBe(429)

  expect((await challenge(await signIn(email), factorId, HOME)).status).toBe(200)
})

it('texts codes to the owner at home although neighbours have used up the texts of the address', async () => {
  const { email, factorId } = await anOwner()
  await accounts.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level) values ('text by address', $1, 1000)
     on conflict (bucket, subject) do update set level = 1000, updated_at = now()`,
    [HOME],
  )
  const { factorId: neighbours, email: neighbour } = await anOwner()
  await accounts.database.owner.query(
    'delete from auth.known_networks where user_id = (select id from auth.users where email = $1)',
    [neighbour],
  )

  expect((await challenge(await signIn(neighbour), neighbours, HOME)).status).toBe(429)
  expect((await challenge(await signIn(email), factorId, HOME)).status).toBe(200)
})

it('sends one phone at most five texts an hour, even from a known network', async () => {
  const { email, factorId } = await anOwner()
  const session = await signIn(email)
  const statuses = []
  for (let text = 0; text < 7; text += 1) statuses.push((await challenge(session, factorId, HOME)).status)

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})

it('texts codes to the owner although strangers have used up the texts of the shop and of the address for new phones', async () => {
  const { email, factorId } = await anOwner()
  await accounts.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level)
     values ('setup text by shop', 'shop', 1000), ('setup text by address', $1, 1000)
     on conflict (bucket, subject) do update set level = 1000, updated_at = now()`,
    [HOME],
  )
  const { access: stranger } = await accounts.signUp('another-stranger@example.com')
  const planted = await enrol(stranger, '+27825559999')

  expect((await challenge(stranger, planted, '198.51.100.77')).status).toBe(429)
  expect((await challenge(await signIn(email), factorId, HOME)).status).toBe(200)
})
