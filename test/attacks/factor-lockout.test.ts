import { afterEach, beforeEach, expect, it } from 'vitest'

import { totpCode } from '#backend/auth/factors/totp.ts'
import { type AttackedAccounts, openAttackedAccounts, tokensIn } from './attacked-accounts.ts'

const EMAIL = 'owner@example.com'
const HOME = '192.0.2.1'

let accounts: AttackedAccounts
let factor: { id: string; secret: string; recoveryCode: string }
beforeEach(async () => {
  accounts = await openAttackedAccounts()
  const { access } = await accounts.signUp(EMAIL)
  const { body } = await accounts.call('POST', '/factors', { bearer: access, body: { factor_type: 'totp' } })
  factor = { id: body.id, secret: body.totp.secret, recoveryCode: '' }
  const raised = await showCode(access, HOME)
  const codes = await accounts.call('POST', '/factors/recovery-codes', { bearer: raised.body.access_token })
  factor.recoveryCode = codes.body.recovery_codes[0]
})
afterEach(() => accounts.close())

/** A code of the app, or a wrong one. A used code is forgotten first, as if half a minute had passed since. */
async function showCode(bearer: string, from: string, code = totpCode(factor.secret)) {
  await accounts.database.owner.query('delete from auth.totp_uses')
  const path = `/factors/${factor.id}`
  const { body } = await accounts.call('POST', `${path}/challenge`, { bearer, from, body: {} })
  return accounts.call('POST', `${path}/verify`, { bearer, from, body: { challenge_id: body.id, code } })
}

async function signInFrom(from: string): Promise<string> {
  const body = { email: EMAIL, password: 'salt-water-42' }
  const answer = await accounts.call('POST', '/token?grant_type=password', { from, body })
  return tokensIn(answer.body).access
}

const WRONG = () => (totpCode(factor.secret) === '000000' ? '000001' : '000000')

/** By a thief who knows the password, each from a network and session of its own. */
async function guessFrom(networks: number): Promise<number[]> {
  const statuses = []
  for (let at = 0; at < networks; at += 1) {
    const from = `198.51.100.${at + 1}`
    statuses.push((await showCode(await signInFrom(from), from, WRONG())).status)
  }
  return statuses
}

it('gives a thief who knows the password fifteen guesses at the second factor, from however many networks', async () => {
  const statuses = await guessFrom(25)

  expect(statuses.filter((status) => status === 422).length).toBe(15)
  expect(statuses.slice(15)).toEqual(Array(10).fill(429))
})

it('lets the owner show the factor at a known network while a thief guesses', async () => {
  await guessFrom(20)

  expect((await showCode(await signInFrom(HOME), HOME)).status).toBe(200)
})

it('lets the owner in with a recovery code at a new network while a thief guesses, and the factor there from then on', async () => {
  await guessFrom(20)
  const travelling = '203.0.113.5'
  expect((await showCode(await signInFrom(travelling), travelling)).status).toBe(429)

  const recovered = await accounts.call('POST', '/factors/recovery-codes/verify', {
    bearer: await signInFrom(travelling),
    from: travelling,
    body: { code: factor.recoveryCode },
  })

  expect(recovered.status).toBe(200)
  expect((await showCode(await signInFrom(travelling), travelling)).status).toBe(200)
})

it('gives a thief on a known network fifteen guesses, too', async () => {
  const session = await signInFrom(HOME)
  const statuses = []
  for (let guess = 0; guess < 20; guess += 1) statuses.push((await showCode(session, HOME, WRONG())).status)

  expect(statuses.filter((status) => status !== 429).length).toBe(15)
})
