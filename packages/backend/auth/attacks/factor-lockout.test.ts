import { afterEach, beforeEach, expect, it } from 'vitest'

import { totpCode } from '#backend/auth/factors/totp.ts'
import { type AttackedAccounts, openAttackedAccounts, secretIn, tokensIn } from './attacked-accounts.ts'

const EMAIL = 'owner@example.com'
const HOME = '192.0.2.1'

/** Far below the shop's limits, because a test cannot send a hundred thousand calls. */
const recoveryGuessesPerAccount = { tries: 12, periodSeconds: 86_400 }

let accounts: AttackedAccounts
let factor: { id: string; secret: string; recoveryCode: string }
beforeEach(async () => {
  accounts = await openAttackedAccounts({ limits: { recoveryGuessesPerAccount } })
  const { access } = await accounts.signUpVerified(EMAIL)
  const { body } = await accounts.call('POST', '/factors', { bearer: access, body: { factor_type: 'totp' } })
  factor = { id: body.id, secret: body.totp.secret, recoveryCode: '' }
  const raised = await showCode(access, HOME)
  const codes = await accounts.call('POST', '/factors/recovery-codes', { bearer: raised.body.access_token })
  factor.recoveryCode = codes.body.codes[0]
})
afterEach(() => accounts.close())

/** Clears the used code first, as if half a minute had passed. */
async function showCode(bearer: string, from: string, code = totpCode(factor.secret)) {
  await accounts.database.owner.query('delete from auth.totp_uses')
  const path = `/factors/${factor.id}`
  const { body } = await accounts.call('POST', `${path}/challenge`, { bearer, from, body: {} })
  return accounts.call('POST', `${path}/verify`, { bearer, from, body: { challenge_id: body.id, code } })
}

function showRecoveryCode(bearer: string, from: string, code = factor.recoveryCode) {
  return accounts.call('POST', '/factors/recovery-codes/verify', { bearer, from, body: { code } })
}

async function signInFrom(from: string): Promise<string> {
  const body = { email: EMAIL, password: 'salt-water-42' }
  const answer = await accounts.call('POST', '/token?grant_type=password', { from, body })
  return tokensIn(answer.body).access
}

const WRONG = () => (totpCode(factor.secret) === '000000' ? '000001' : '000000')

/** Guesses of a thief who knows the password, each from its own network and session. */
async function guessFrom(networks: number): Promise<number[]> {
  const statuses = []
  for (let at = 0; at < networks; at += 1) {
    const from = `198.51.100.${at + 1}`
    statuses.push((await showCode(await signInFrom(from), from, WRONG())).status)
  }
  return statuses
}

it('limits a thief with the password to fifteen second factor guesses across all networks', async () => {
  const statuses = await guessFrom(17)

  expect(statuses).toEqual([...Array(15).fill(422), ...Array(2).fill(429)])
})

it('lets the owner use the second factor on a known network while a thief guesses', async () => {
  await guessFrom(16)

  expect((await showCode(await signInFrom(HOME), HOME)).status).toBe(200)
})

it('lets the owner sign in on a new network by recovery code while a thief guesses', async () => {
  await guessFrom(16)
  const travelling = '203.0.113.5'
  expect((await showCode(await signInFrom(travelling), travelling)).status).toBe(429)

  const recovered = await showRecoveryCode(await signInFrom(travelling), travelling)

  expect(recovered.status).toBe(200)
  expect((await showCode(await signInFrom(travelling), travelling)).status).toBe(200)
})

it('limits a thief on a known network to fifteen guesses at the second factor', async () => {
  const session = await signInFrom(HOME)
  const statuses = []
  for (let guess = 0; guess < 20; guess += 1) statuses.push((await showCode(session, HOME, WRONG())).status)

  expect(statuses.filter((status) => status !== 429).length).toBe(15)
})

/** Wrong recovery codes of a thief who knows the password, each from its own network and session. */
async function guessRecoveryCodesFrom(networks: number): Promise<number[]> {
  const statuses = []
  for (let at = 0; at < networks; at += 1) {
    const from = `198.51.100.${at + 1}`
    statuses.push((await showRecoveryCode(await signInFrom(from), from, 'abcd-efgh-jkmn-pqrs')).status)
  }
  return statuses
}

it('limits wrong recovery codes of an account across all networks', async () => {
  const statuses = await guessRecoveryCodesFrom(13)

  expect(statuses).toEqual([...Array(12).fill(422), 429])
  // The limit must reject the right code as well; otherwise a thief could go on guessing.
  expect((await showRecoveryCode(await signInFrom('203.0.113.6'), '203.0.113.6')).status).toBe(429)
})

it('limits a thief on a known network to twenty guesses at the recovery codes', async () => {
  const session = await signInFrom(HOME)
  const statuses = []
  for (let guess = 0; guess < 25; guess += 1) {
    statuses.push((await showRecoveryCode(session, HOME, 'abcd-efgh-jkmn-pqrs')).status)
  }

  expect(statuses).toEqual([...Array(20).fill(422), ...Array(5).fill(429)])
})

it('lets the owner use a recovery code on a known network while a thief guesses at recovery codes', async () => {
  await guessRecoveryCodesFrom(13)

  expect((await showRecoveryCode(await signInFrom(HOME), HOME)).status).toBe(200)
})

it('lets the owner use a mailed link and a recovery code while a thief guesses', async () => {
  await guessRecoveryCodesFrom(13)
  const from = '203.0.113.7'
  await accounts.call('POST', '/recover', { from, body: { email: EMAIL } })
  const body = { type: 'recovery', token_hash: secretIn(accounts.mailTo(EMAIL, 'recovery')) }
  const opened = await accounts.call('POST', '/verify', { from, body })

  const recovered = await showRecoveryCode(tokensIn(opened.body).access, from)
  expect(recovered.body).toMatchObject({ token_type: 'bearer' })
})
