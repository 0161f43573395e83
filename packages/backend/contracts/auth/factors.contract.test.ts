import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { findTotpStep, totpCode } from '#backend/auth/factors/totp.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth()
})
afterAll(() => auth.close())

const password = 'salt-water-42'
let people = 0
async function signUp() {
  people += 1
  const email = `angler${people}@example.com`
  const client = auth.client()
  await client.auth.signUp({ email, password })
  return { client, email }
}

async function enrollApp(client: SupabaseClient, friendlyName = 'phone') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { factorId: data.id, secret: data.totp.secret }
}

async function signUpWithFactor() {
  const { client, email } = await signUp()
  const factor = await enrollApp(client)
  const shownAt = Date.now()
  const { error } = await client.auth.mfa.challengeAndVerify({
    factorId: factor.factorId,
    code: totpCode(factor.secret, shownAt),
  })
  if (error) throw error
  return { client, email, shownAt, ...factor }
}

type App = Awaited<ReturnType<typeof enrollApp>>

/** Clears the used code first, as if half a minute had passed. */
async function show(client: SupabaseClient, { factorId, secret }: App): Promise<void> {
  await auth.database.owner.query('delete from auth.totp_uses')
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(secret) })
  if (error) throw error
}

async function signInWith(email: string, app: App): Promise<SupabaseClient> {
  const client = auth.client()
  await client.auth.signInWithPassword({ email, password })
  await show(client, app)
  return client
}

describe('TOTP codes', () => {
  // RFC 6238, appendix B, SHA-1, the last six digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('computes the TOTP code of RFC 6238 at %i seconds', (seconds, code) => {
    expect(totpCode(secret, seconds * 1000)).toBe(code)
  })

  it('accepts TOTP codes one time step early or late, but not two steps', () => {
    const now = 1_234_567_890_000

    const steps = [-60, -30, 0, 30, 60].map((shift) =>
      findTotpStep(secret, totpCode(secret, now + shift * 1000), now),
    )

    expect(steps).toEqual([null, 41_152_262, 41_152_263, 41_152_264, null])
  })
})

describe('authenticator apps', () => {
  it('enrolls an authenticator app with QR code, secret and URI', async () => {
    const { client, email } = await signUp()

    const { data, error } = await client.auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: 'phone 📱',
      issuer: 'Saltfreak',
    })

    expect(error).toBeNull()
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'phone 📱' })
    expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
    expect(data?.totp.uri).toBe(
      `otpauth://totp/Saltfreak:${encodeURIComponent(email)}?algorithm=SHA1&digits=6&issuer=Saltfreak&period=30&secret=${data?.totp.secret}`,
    )
  })

  // covers S3.5 S4.2 S7.2
  it('raises the session to aal2 with a TOTP code and keeps aal2 after a refresh', async () => {
    const { client } = await signUpWithFactor()

    const raised = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    await client.auth.refreshSession()
    const refreshed = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    const { data } = await client.auth.mfa.listFactors()

    expect(raised.data).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
    })
    expect(refreshed.data?.currentLevel).toBe('aal2')
    expect(data?.totp).toMatchObject([{ friendly_name: 'phone', factor_type: 'totp', status: 'verified' }])
    expect(JSON.stringify(data)).not.toContain('secret')
  })

  // covers S4.4
  it('ends other aal1 sessions after the first enrolment and requires the factor at sign-in', async () => {
    const { client, email } = await signUp()
    const other = auth.client()
    await other.auth.signInWithPassword({ email, password })
    const { factorId, secret } = await enrollApp(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(secret) })

    const next = auth.client()
    await next.auth.signInWithPassword({ email, password })

    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    const level = await next.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  })

  it('refuses changes of password and address in an aal1 session', async () => {
    const { email } = await signUpWithFactor()
    const thief = auth.client()
    await thief.auth.signInWithPassword({ email, password })

    const attempts = [
      await thief.auth.updateUser({ password: 'stolen-water' }),
      await thief.auth.updateUser({ email: 'thief@example.com' }),
    ]

    expect(attempts.map(({ error }) => error?.status)).toEqual([401, 401])
    expect(attempts.map(({ error }) => error?.code)).toEqual(['insufficient_aal', 'insufficient_aal'])
  })

  it('adds and removes second factors only in an aal2 session', async () => {
    const { client, email, factorId } = await signUpWithFactor()
    const thief = auth.client()
    await thief.auth.signInWithPassword({ email, password })

    const stolen = await thief.auth.mfa.unenroll({ factorId })
    const second = await thief.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' })
    const own = await client.auth.mfa.unenroll({ factorId })
    await client.auth.refreshSession()

    expect([stolen.error?.status, stolen.error?.code]).toEqual([422, 'insufficient_aal'])
    expect([second.error?.status, second.error?.code]).toEqual([403, 'insufficient_aal'])
    expect(own.data).toEqual({ id: factorId })
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal1')
  })

  it('ends the other sessions of a removed factor when the account keeps another factor', async () => {
    const { client, email, ...removed } = await signUpWithFactor()
    const kept = await enrollApp(client, 'tablet')
    await show(client, kept)
    const ended = await signInWith(email, removed)
    const unaffected = await signInWith(email, kept)
    await show(client, removed)

    await client.auth.mfa.unenroll({ factorId: removed.factorId })

    expect((await ended.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await unaffected.auth.getUser()).error).toBeNull()
    await client.auth.refreshSession()
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    })
  })

  it('keeps the sessions of a removed factor that was the only one', async () => {
    const { client, email, ...factor } = await signUpWithFactor()
    const other = await signInWith(email, factor)

    await client.auth.mfa.unenroll({ factorId: factor.factorId })

    expect((await other.auth.getUser()).error).toBeNull()
  })
})

describe('refused factors and challenges', () => {
  it('refuses a wrong TOTP code and a used challenge', async () => {
    const { client } = await signUp()
    const { factorId, secret } = await enrollApp(client)
    const { data: challenge } = await client.auth.mfa.challenge({ factorId })
    const challengeId = challenge?.id ?? ''

    const wrong = await client.auth.mfa.verify({ factorId, challengeId, code: '00000x' })
    const right = await client.auth.mfa.verify({ factorId, challengeId, code: totpCode(secret) })
    const again = await client.auth.mfa.verify({ factorId, challengeId, code: totpCode(secret) })

    expect([wrong.error?.status, wrong.error?.code]).toEqual([422, 'mfa_verification_failed'])
    expect(right.error).toBeNull()
    expect(again.error?.status).toBe(422)
  })

  it('refuses a used TOTP code and older codes', async () => {
    const { client, factorId, secret, shownAt } = await signUpWithFactor()
    const verifyCode = async (code: string) => {
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
      return error?.code
    }

    expect(await verifyCode(totpCode(secret, shownAt))).toBe('mfa_verification_failed')
    expect(await verifyCode(totpCode(secret, shownAt - 30_000))).toBe('mfa_verification_failed')
    expect(await verifyCode(totpCode(secret, shownAt + 30_000))).toBeUndefined()
  })

  it('refuses a challenge that is expired or started from another network address', async () => {
    const { client } = await signUp()
    const { factorId, secret } = await enrollApp(client)
    const verifyChanged = async (change: string) => {
      const { data } = await client.auth.mfa.challenge({ factorId })
      await auth.database.owner.query(`update auth.mfa_challenges set ${change} where id = $1`, [data?.id])
      const answer = await client.auth.mfa.verify({
        factorId,
        challengeId: data?.id ?? '',
        code: totpCode(secret),
      })
      return answer.error?.code
    }

    expect(await verifyChanged(`created_at = now() - interval '301 seconds'`)).toBe('mfa_challenge_expired')
    expect(await verifyChanged(`ip_address = '203.0.113.9'`)).toBe('mfa_ip_address_mismatch')
  })

  it('refuses a duplicate name of a second factor and an eleventh factor', async () => {
    const { client } = await signUp()
    await enrollApp(client, '')

    const same = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: '' })
    for (let number = 0; number < 9; number += 1) await enrollApp(client, `app ${number}`)
    const eleventh = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'one more' })

    expect([same.error?.status, same.error?.code]).toEqual([422, 'mfa_factor_name_conflict'])
    expect([eleventh.error?.status, eleventh.error?.code]).toEqual([422, 'too_many_enrolled_mfa_factors'])
  })

  it('frees the name of an unfinished enrolment after ten minutes', async () => {
    const { client } = await signUp()
    const enrollAfter = async (seconds: number) => {
      await auth.database.owner.query(
        `update auth.mfa_factors set created_at = now() - make_interval(secs => $1) where friendly_name = 'unfinished'`,
        [seconds],
      )
      return client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'unfinished' })
    }
    await enrollApp(client, 'unfinished')

    expect((await enrollAfter(590)).error?.code).toBe('mfa_factor_name_conflict')
    expect((await enrollAfter(610)).error).toBeNull()
  })

  it('hides the second factors of other accounts', async () => {
    const [owner, stranger] = [await signUpWithFactor(), await signUp()]

    const challenge = await stranger.client.auth.mfa.challenge({ factorId: owner.factorId })
    const removal = await stranger.client.auth.mfa.unenroll({ factorId: owner.factorId })

    expect([challenge.error?.code, removal.error?.code]).toEqual([
      'mfa_factor_not_found',
      'mfa_factor_not_found',
    ])
  })

  it('blocks TOTP codes after twenty wrong guesses', async () => {
    const { client } = await signUp()
    const { factorId } = await enrollApp(client)
    const { data } = await client.auth.mfa.challenge({ factorId })

    const codes: unknown[] = []
    for (let guess = 0; guess < 21; guess += 1) {
      const { error } = await client.auth.mfa.verify({ factorId, challengeId: data?.id ?? '', code: 'x' })
      codes.push(error?.code)
    }

    expect(codes.at(-1)).toBe('over_request_rate_limit')
  })

  it('refuses types of second factors that are not enabled', async () => {
    const { client } = await signUp()

    const phone = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+27825550148' })
    const { data } = await client.auth.getSession()
    const key = await auth.fetch(`${PUBLIC_URL}/auth/v1/factors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${data.session?.access_token}` },
      body: JSON.stringify({ factor_type: 'webauthn', friendly_name: 'key' }),
    })

    expect(phone.error?.code).toBe('mfa_phone_enroll_not_enabled')
    expect(await key.json()).toMatchObject({ error_code: 'mfa_webauthn_enroll_not_enabled' })
  })
})
