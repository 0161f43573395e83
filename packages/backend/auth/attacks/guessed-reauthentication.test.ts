import { afterAll, beforeAll, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts, PASSWORD } from './attacked-accounts.ts'

/**
 * The attack: a thief has a session that is more than a day old, from an unattended screen, and guesses the mailed code or the password
 * that a change of password asks for.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ passwordChangeNeedsReauthentication: true })
})
afterAll(() => accounts.close())

let people = 0

async function anOldSession(): Promise<string> {
  people += 1
  const { access } = await accounts.signUp(`screen${people}@example.com`)
  await accounts.database.owner.query(`update auth.sessions set created_at = now() - interval '2 days'`)
  await accounts.call('GET', '/reauthenticate', { bearer: access })
  return access
}

const guessAt = (bearer: string, from: string, proof: object) =>
  accounts.call('PUT', '/user', { bearer, from, body: { password: 'stolen-water-43', ...proof } })

const WRONG_PROOFS = [
  ['mailed code', 'reauthentication_not_valid', { nonce: 'wrong' }],
  ['current password', 'invalid_credentials', { current_password: 'wrong' }],
] as const

it.each(WRONG_PROOFS)(
  'limits a session to fifty guesses at the %s a day across all networks',
  async (_, code, proof) => {
    const session = await anOldSession()
    const codes: unknown[] = []
    for (let guess = 0; guess < 60; guess += 1) {
      // The limit for five minutes is a separate one.
      await accounts.database.owner.query(`delete from auth.rate_limits where bucket = 'change password'`)
      const { body } = await guessAt(session, `198.51.100.${guess}`, proof)
      codes.push(body.error_code)
    }

    expect(codes).toEqual([...Array(50).fill(code), ...Array(10).fill('over_request_rate_limit')])
  },
)

it.each(WRONG_PROOFS)('limits a session to twenty guesses at the %s at once', async (_, code, proof) => {
  const session = await anOldSession()
  const codes: unknown[] = []
  for (let guess = 0; guess < 26; guess += 1) {
    codes.push((await guessAt(session, `198.51.100.${guess}`, proof)).body.error_code)
  }

  expect(codes.slice(0, 20)).toEqual(Array(20).fill(code))
  expect(codes.at(-1)).toBe('over_request_rate_limit')
})

it('limits one network to sixty guesses at mailed codes an hour across all accounts', async () => {
  const sessions = await Promise.all([anOldSession(), anOldSession(), anOldSession(), anOldSession()])
  const codes: unknown[] = []
  for (let guess = 0; guess < 64; guess += 1) {
    const session = sessions[guess % 4] ?? ''
    codes.push((await guessAt(session, '203.0.113.9', { nonce: 'wrong' })).body.error_code)
  }

  expect(codes.slice(0, 60)).toEqual(Array(60).fill('reauthentication_not_valid'))
  expect(codes.at(-1)).toBe('over_request_rate_limit')
})

it.each(WRONG_PROOFS)(
  'does not tell a session with a wrong %s whether a password is the present one',
  async (_, code, proof) => {
    const session = await anOldSession()

    const { body } = await guessAt(session, '203.0.113.10', { ...proof, password: PASSWORD })

    expect(body.error_code).toBe(code)
  },
)

it('counts wrong codes that are sent with the present password, which use up the mailed code', async () => {
  const session = await anOldSession()
  const { code: nonce } = accounts.mailTo(`screen${people}@example.com`, 'reauthentication')
  for (let guess = 0; guess < 5; guess += 1)
    await guessAt(session, '203.0.113.11', { nonce: 'wrong', password: PASSWORD })

  const { body } = await guessAt(session, '203.0.113.11', { nonce })

  expect(body.error_code).toBe('reauthentication_not_valid')
})
