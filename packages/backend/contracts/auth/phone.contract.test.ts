import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openAuth, type TestAuth } from '#backend/testing/auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth({}, { hasPhones: true })
})
afterAll(() => auth.close())

let people = 0
async function signUp() {
  people += 1
  const client = auth.client()
  await client.auth.signUp({ email: `angler${people}@example.com`, password: 'salt-water-42' })
  return client
}

it('raises the session to aal2 with the code sent to the phone', async () => {
  const client = await signUp()

  const enrolled = await client.auth.mfa.enroll({
    factorType: 'phone',
    friendlyName: 'mine',
    phone: '+27 82 555 0148',
  })
  const factorId = enrolled.data?.id ?? ''
  const challenge = await client.auth.mfa.challenge({ factorId, channel: 'whatsapp' })
  const challengeId = challenge.data?.id ?? ''
  const wrong = await client.auth.mfa.verify({ factorId, challengeId, code: 'wrong!' })
  const right = await client.auth.mfa.verify({ factorId, challengeId, code: auth.texts.at(-1)?.code ?? '' })

  expect(enrolled.data).toMatchObject({ type: 'phone', friendly_name: 'mine', phone: '27825550148' })
  expect(challenge.data).toMatchObject({ type: 'phone', expires_at: expect.any(Number) })
  expect(auth.texts).toEqual([
    { to: '+27825550148', channel: 'whatsapp', code: expect.stringMatching(/^\d{6}$/) },
  ])
  expect(wrong.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
  expect(right.error).toBeNull()
  const level = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  expect(level.data).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'mfa/phone' }, { method: 'password' }],
  })
  expect((await client.auth.mfa.listFactors()).data?.phone).toMatchObject([
    { phone: '27825550148', status: 'verified' },
  ])
})

it('stores the phone code only as a hash', async () => {
  const client = await signUp()
  const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+27825550149' })
  await client.auth.mfa.challenge({ factorId: data?.id ?? '' })

  const { rows } = await auth.database.owner.query(
    'select otp_code from auth.mfa_challenges where factor_id = $1',
    [data?.id],
  )

  expect(rows[0].otp_code).not.toContain(auth.texts.at(-1)?.code)
})

/** Requests a challenge as if the last one had been sent so many seconds ago. */
async function challengeLater(client: SupabaseClient, factorId = '', seconds = 0) {
  await auth.database.owner.query(
    'update auth.mfa_factors set last_challenged_at = clock_timestamp() - make_interval(secs => $2) where id = $1',
    [factorId, seconds],
  )
  return client.auth.mfa.challenge({ factorId })
}

it('sends no second text message within a minute and replaces an unverified phone enrolment', async () => {
  const client = await signUp()
  const first = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+27825550150' })
  await client.auth.mfa.challenge({ factorId: first.data?.id ?? '' })

  const soon = await challengeLater(client, first.data?.id, 0)
  const almost = await challengeLater(client, first.data?.id, 55)
  const late = await challengeLater(client, first.data?.id, 61)
  const second = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+27825550150' })

  expect(soon.error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' })
  expect(almost.error?.code).toBe('over_sms_send_rate_limit')
  expect(late.error).toBeNull()
  expect(second.error).toBeNull()
  const { data } = await client.auth.mfa.listFactors()
  expect(data?.all.map(({ id }) => id)).toEqual([second.data?.id])
})

it('refuses an invalid phone number for a second factor', async () => {
  const client = await signUp()

  const { error } = await client.auth.mfa.enroll({ factorType: 'phone', phone: '0800 LURES' })

  expect(error).toMatchObject({ status: 400, code: 'validation_failed' })
})
