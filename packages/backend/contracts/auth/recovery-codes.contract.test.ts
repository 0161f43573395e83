import type { Session, SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { totpCode } from '#backend/auth/factors/totp.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth()
})
afterAll(() => auth.close())

const password = 'salt-water-42'
let people = 0

interface Angler {
  client: SupabaseClient
  email: string
  factorId: string
}

/** A new account with a verified authenticator app. */
async function signUpWithFactor(): Promise<Angler> {
  people += 1
  const email = `careful${people}@example.com`
  const client = auth.client()
  await client.auth.signUp({ email, password })
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
  if (!data) throw new Error('not enrolled')
  await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: totpCode(data.totp.secret) })
  return { client, email, factorId: data.id }
}

/** Opens an aal1 session of the account in another browser. */
async function openAal1Session(email: string): Promise<SupabaseClient> {
  const client = auth.client()
  await client.auth.signInWithPassword({ email, password })
  return client
}

async function call(
  client: SupabaseClient,
  method: 'GET' | 'POST',
  more: { path?: string; body?: object } = {},
) {
  const { data } = await client.auth.getSession()
  const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/factors/recovery-codes${more.path ?? ''}`, {
    method,
    headers: data.session ? { authorization: `Bearer ${data.session.access_token}` } : {},
    body: more.body && JSON.stringify(more.body),
  })
  return { status: answer.status, body: await answer.json() }
}

async function createCodes({ client }: Angler): Promise<string[]> {
  return (await call(client, 'POST')).body.codes
}

const verifyCode = (client: SupabaseClient, code: string) =>
  call(client, 'POST', { path: '/verify', body: { code } })

describe('recovery codes', () => {
  it('returns ten recovery codes once, and later only the number of unused codes', async () => {
    const { client } = await signUpWithFactor()

    const none = await call(client, 'GET')
    const made = await call(client, 'POST')
    const counted = await call(client, 'GET')
    const { rows } = await auth.database.owner.query('select * from auth.recovery_codes')

    expect(none.body).toEqual({ remaining: 0, created_at: null })
    expect(new Set(made.body.codes).size).toBe(10)
    for (const code of made.body.codes) {
      expect(code).toMatch(/^([a-kmnp-z2-9]{4}-){3}[a-kmnp-z2-9]{4}$/)
      expect(JSON.stringify(rows)).not.toContain(code)
    }
    expect(counted.body).toEqual({ remaining: 10, created_at: expect.stringMatching(/^\d{4}-.*Z$/) })
  })

  it('raises a session to aal2 with each recovery code once', async () => {
    const angler = await signUpWithFactor()
    const [code = ''] = await createCodes(angler)
    const otherBrowser = await openAal1Session(angler.email)

    const raised = await verifyCode(otherBrowser, code)
    const session: Session = raised.body
    await otherBrowser.auth.setSession(session)
    const level = await otherBrowser.auth.mfa.getAuthenticatorAssuranceLevel()
    const again = await verifyCode(await openAal1Session(angler.email), code)

    expect(raised).toMatchObject({
      status: 200,
      body: { token_type: 'bearer', user: { email: angler.email } },
    })
    expect(level.data).toMatchObject({
      currentLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'recovery_code' }, { method: 'password' }],
    })
    expect(again).toMatchObject({ status: 422, body: { error_code: 'mfa_verification_failed' } })
    expect((await call(otherBrowser, 'GET')).body).toMatchObject({ remaining: 9 })
  })

  it('accepts a recovery code once when two sessions use the same code concurrently', async () => {
    const angler = await signUpWithFactor()
    const [code = ''] = await createCodes(angler)
    const two = [await openAal1Session(angler.email), await openAal1Session(angler.email)]

    const answers = await Promise.all(two.map((client) => verifyCode(client, code)))

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  it('accepts recovery codes in capitals and without hyphens', async () => {
    const angler = await signUpWithFactor()
    const [code = ''] = await createCodes(angler)

    const raised = await verifyCode(
      await openAal1Session(angler.email),
      ` ${code.replaceAll('-', ' ').toUpperCase()} `,
    )

    expect(raised.status).toBe(200)
  })

  it('removes a lost factor after a recovery code, and all codes with the last factor', async () => {
    const angler = await signUpWithFactor()
    const [code = ''] = await createCodes(angler)
    const otherBrowser = await openAal1Session(angler.email)
    await otherBrowser.auth.setSession((await verifyCode(otherBrowser, code)).body)

    const removed = await otherBrowser.auth.mfa.unenroll({ factorId: angler.factorId })
    await otherBrowser.auth.refreshSession()

    expect(removed.error).toBeNull()
    expect((await call(otherBrowser, 'GET')).body).toEqual({ remaining: 0, created_at: null })
    const level = await otherBrowser.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(level.data).toMatchObject({
      currentLevel: 'aal1',
      currentAuthenticationMethods: [{ method: 'password' }],
    })
  })
})

describe('refused recovery codes', () => {
  it('refuses new recovery codes without a second factor, aal2 or a session', async () => {
    const { email } = await signUpWithFactor()
    const plain = auth.client()
    await plain.auth.signUp({ email: 'plain@example.com', password })

    const answers = [
      await call(plain, 'POST'),
      await call(await openAal1Session(email), 'POST'),
      await call(auth.client(), 'POST'),
    ]

    expect(answers.map(({ status, body }) => [status, body.error_code])).toEqual([
      [422, 'mfa_factor_not_found'],
      [403, 'insufficient_aal'],
      [401, 'no_authorization'],
    ])
  })

  it('refuses recovery codes of an earlier set or another account', async () => {
    const [angler, stranger] = [await signUpWithFactor(), await signUpWithFactor()]
    const [old = ''] = await createCodes(angler)
    await createCodes(angler)
    const [foreign = ''] = await createCodes(stranger)
    const otherBrowser = await openAal1Session(angler.email)

    expect((await verifyCode(otherBrowser, old)).status).toBe(422)
    expect((await verifyCode(otherBrowser, foreign)).status).toBe(422)
  })

  it('blocks recovery codes after twenty wrong guesses', async () => {
    const { client, email } = await signUpWithFactor()
    await call(client, 'POST')
    const guesser = await openAal1Session(email)

    const answers: unknown[] = []
    for (let guess = 0; guess < 21; guess += 1)
      answers.push((await verifyCode(guesser, 'abcd')).body.error_code)

    expect(answers[0]).toBe('mfa_verification_failed')
    expect(answers.at(-1)).toBe('over_request_rate_limit')
  })
})
