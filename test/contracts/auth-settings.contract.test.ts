import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { totpCode } from '@saltfreak/backend/testing'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('changes an account’s e-mail address only after both mailboxes confirm', async () => {
  const { client, email } = await shop.signUp()

  const { data } = await client.auth.updateUser({ email: 'new-address@example.com' })
  await shop.runJobs()

  expect(data.user).toMatchObject({ email, new_email: 'new-address@example.com' })
  const { rows } = await shop.database.owner.query(
    'select recipient, template from public.mails where recipient in ($1, $2) order by template',
    [email, 'new-address@example.com'],
  )
  expect(rows).toEqual([
    { recipient: email, template: 'email-change-from-here' },
    { recipient: 'new-address@example.com', template: 'email-change-to-here' },
  ])
})

it('lets a customer enrol a passkey', async () => {
  const { client } = await shop.signUp()

  const { data, error } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })

  expect(error).toBeNull()
  expect(data).toMatchObject({ type: 'webauthn' })
})

it('requires reauthentication to change the password a day after the sign-in', async () => {
  const { client, userId } = await shop.signUp()
  await shop.database.owner.query(
    `update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1`,
    [userId],
  )

  const { error } = await client.auth.updateUser({ password: 'another-horse-8' })

  expect(error).toMatchObject({ code: 'reauthentication_needed' })
})

it('requires reauthentication to add a second factor, and to grant a role with a new one', async () => {
  const { client, userId } = await shop.admin()
  const friend = await shop.signUp()
  await shop.verifyMailbox(friend)
  const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })
  await shop.database.owner.query(
    `update auth.mfa_amr_claims set updated_at = now() - interval '11 minutes'
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [userId],
  )
  await client.auth.refreshSession()

  const second = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Another' })
  const code = totpCode(app?.totp.secret ?? '')
  const shown = await client.auth.mfa.challengeAndVerify({ factorId: app?.id ?? '', code })
  const granted = await client.rpc('grant_role', { email: friend.email, role: 'admin' })

  expect(second.error).toMatchObject({ code: 'reauthentication_needed' })
  expect(shown.error).toBeNull()
  expect(granted.error).toMatchObject({ details: 'not_proven_recently' })
})

describe('sign-up confirmation', () => {
  let careful: TestShop
  beforeAll(async () => {
    careful = await openShop({ confirmSignUps: true })
  })
  afterAll(() => careful.close())

  it('rejects a sign-in before the customer opens the confirmation link', async () => {
    const client = careful.client()
    const email = 'new@example.com'
    const { data } = await client.auth.signUp({ email, password: PASSWORD })

    const early = await client.auth.signInWithPassword({ email, password: PASSWORD })

    expect(data.session).toBeNull()
    expect(early.error).toMatchObject({ code: 'email_not_confirmed' })
  })
})

it.each([
  ['recovery', 'Choose a new password'],
  ['email_change', 'Confirm this address'],
  ['something else', 'Sign in'],
])('shows a confirmation page before a %s link leads to another site', async (type, title) => {
  const target = encodeURIComponent('http://localhost:5173/welcome')
  const response = await shop.fetch(
    `/auth/v1/confirm?token=0123&type=${encodeURIComponent(type)}&redirect_to=${target}`,
  )
  const page = await response.text()

  expect(page).toContain(`<h1>${title}</h1>`)
  expect(page.match(/<button>/g)).toHaveLength(1)
})

it('redirects a mailed link to the shop’s page with the token in the fragment', async () => {
  const next = `${shop.settings.publicUrl}/auth/new-password`
  const response = await shop.fetch(
    `/auth/v1/confirm?token=pkce_0123&type=recovery&redirect_to=${encodeURIComponent(next)}`,
  )

  const target = new URL(response.headers.get('location') ?? '')
  expect(response.status).toBe(303)
  expect(`${target.origin}${target.pathname}${target.search}`).toBe(`${shop.settings.publicUrl}/auth/link`)
  expect(Object.fromEntries(new URLSearchParams(target.hash.slice(1)))).toEqual({
    token_hash: 'pkce_0123',
    type: 'recovery',
    redirect_to: next,
  })
})
