import { afterAll, beforeAll, expect, it } from 'vitest'

import { totpCode } from '#backend/auth/factors/totp.ts'
import { type AttackedAccounts, openAttackedAccounts, tokensIn, unlimited } from './attacked-accounts.ts'

/**
 * The attack: an intruder who knows the password enrols a factor and leaves it unverified. After the owner has turned on
 * two-step sign-in, the intruder verifies the planted factor and gets past it.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ limits: unlimited }, { hasPhones: true })
})
afterAll(() => accounts.close())

let people = 0

async function anAccount() {
  people += 1
  const email = `owner${people}@example.com`
  const { access: owner } = await accounts.signUp(email)
  const { access: intruder } = tokensIn((await accounts.signIn(email)).body)
  return { email, owner, intruder }
}

async function enrol(bearer: string, body: object) {
  const answer = await accounts.call('POST', '/factors', { bearer, body })
  const { id, totp } = answer.body
  return { answer, id: id ?? '', secret: totp?.secret ?? '' }
}

const anApp = (name: string) => ({ factor_type: 'totp', friendly_name: name })
const aPhone = { factor_type: 'phone', friendly_name: 'mine', phone: '+27825550148' }

async function challengeAndVerify(bearer: string, id: string, code: () => string) {
  const challenge = await accounts.call('POST', `/factors/${id}/challenge`, { bearer, body: {} })
  return accounts.call('POST', `/factors/${id}/verify`, {
    bearer,
    body: { challenge_id: challenge.body.id ?? crypto.randomUUID(), code: code() },
  })
}

const lastText = () => accounts.texts.at(-1)?.code ?? ''

it('deletes a phone that an attacker added when the owner verifies a second factor', async () => {
  const { email, owner, intruder } = await anAccount()
  const planted = await enrol(intruder, aPhone)
  const own = await enrol(owner, anApp('own'))

  const verified = await challengeAndVerify(owner, own.id, () => totpCode(own.secret))
  const back = tokensIn((await accounts.signIn(email)).body)
  const raised = await challengeAndVerify(back.access, planted.id, lastText)

  expect(verified.status).toBe(200)
  expect(raised.body.access_token).toBeUndefined()
  const { body } = await accounts.call('GET', '/user', { bearer: verified.body.access_token })
  expect(body.factors).toMatchObject([{ id: own.id, status: 'verified' }])
})

it('rejects a challenge of an unverified factor from a session without the second factor', async () => {
  const { email, owner } = await anAccount()
  const own = await enrol(owner, anApp('own'))
  const verified = await challengeAndVerify(owner, own.id, () => totpCode(own.secret))
  // The intruder signs in just before the owner adds a phone.
  const begun = await enrol(tokensIn(verified.body).access, aPhone)
  const intruder = tokensIn((await accounts.signIn(email)).body).access

  const challenge = await accounts.call('POST', `/factors/${begun.id}/challenge`, {
    bearer: intruder,
    body: {},
  })
  const verify = await accounts.call('POST', `/factors/${begun.id}/verify`, {
    bearer: intruder,
    body: { challenge_id: crypto.randomUUID(), code: '000000' },
  })
  const another = await enrol(intruder, anApp('another'))

  for (const answer of [challenge, verify, another.answer]) {
    expect(answer).toMatchObject({ status: 403, body: { error_code: 'insufficient_aal' } })
  }
})

it('verifies only one second factor when two sessions add an account’s first factor concurrently', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { owner, intruder } = await anAccount()
    const factors = await Promise.all(
      [owner, intruder].map(async (bearer, number) => ({
        bearer,
        ...(await enrol(bearer, anApp(`${number}`))),
      })),
    )

    const answers = await Promise.all(
      factors.map(({ bearer, id, secret }) => challengeAndVerify(bearer, id, () => totpCode(secret))),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
  }
})
