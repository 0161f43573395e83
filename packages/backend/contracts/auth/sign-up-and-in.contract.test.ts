import { afterAll, beforeAll, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth()
})
afterAll(() => auth.close())

const password = 'salt-water-42'

it('signs up a new customer with the given name and opens a session', async () => {
  const client = auth.client()

  const { data, error } = await client.auth.signUp({
    email: 'Thandi@Example.com',
    password,
    options: { data: { full_name: 'Thandi 🎣 Nkosi' } },
  })

  expect(error).toBeNull()
  expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  expect(data.user).toMatchObject({
    email: 'thandi@example.com',
    role: 'authenticated',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { full_name: 'Thandi 🎣 Nkosi', email: 'thandi@example.com', email_verified: true },
    identities: [{ provider: 'email', email: 'thandi@example.com' }],
    is_anonymous: false,
  })
  expect(data.user).not.toHaveProperty('factors')
  expect(JSON.stringify(data)).not.toContain('argon2')
})

it('issues an access token that the published key verifies', async () => {
  const client = auth.client()
  await client.auth.signUp({ email: 'pieter@example.com', password })
  await client.auth.signOut()

  const signedIn = await client.auth.signInWithPassword({ email: 'PIETER@example.com', password })

  expect(signedIn.error).toBeNull()
  const { data: own } = await client.auth.getUser()
  expect(own.user?.id).toBe(signedIn.data.user?.id)
  const { data: linked } = await client.auth.getUserIdentities()
  expect(linked?.identities).toMatchObject([{ provider: 'email', user_id: own.user?.id }])
  const { data: verified } = await client.auth.getClaims()
  expect(verified?.header.alg).toBe('ES256')
  expect(verified?.claims).toMatchObject({
    iss: 'http://localhost:3000/auth/v1',
    sub: signedIn.data.user?.id,
    aud: 'authenticated',
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password' }],
    is_anonymous: false,
  })
})

it('returns the same error for a wrong password and an unknown address', async () => {
  const client = auth.client()
  await client.auth.signUp({ email: 'known@example.com', password })

  const wrong = await client.auth.signInWithPassword({ email: 'known@example.com', password: 'not this one' })
  const unknown = await client.auth.signInWithPassword({ email: 'nobody@example.com', password })

  for (const { error } of [wrong, unknown]) {
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
  }
})

it('refuses a sign-up for an address that has an account', async () => {
  await auth.client().auth.signUp({ email: 'twice@example.com', password })

  const { error } = await auth.client().auth.signUp({ email: 'Twice@example.com', password })

  expect(error).toMatchObject({
    status: 422,
    code: 'user_already_exists',
    message: 'User already registered',
  })
})

it('creates no account while sign-up is closed', async () => {
  const closed = auth.anotherProcess({ isSignUpOpen: false })
  const email = 'closed@example.com'

  const answer = await closed.request(`${PUBLIC_URL}/auth/v1/signup`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  })

  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ error_code: 'signup_disabled' })
  const { rows } = await auth.database.owner.query('select from auth.users where email = $1', [email])
  expect(rows).toEqual([])
})

it('creates no account for a phone number, also beside an e-mail address', async () => {
  const phone = '+27821234567'

  const alone = await auth.client().auth.signUp({ phone, password })
  const beside = await auth.fetch(`${PUBLIC_URL}/auth/v1/signup`, {
    method: 'POST',
    body: JSON.stringify({ phone, password, email: 'beside@example.com' }),
  })

  expect(alone.error).toMatchObject({ status: 400, code: 'phone_provider_disabled' })
  expect(await beside.json()).toMatchObject({ error_code: 'phone_provider_disabled' })
})

it('creates one account when two sign-ups with the same address race', async () => {
  const both = await Promise.all(
    [1, 2].map(() => auth.client().auth.signUp({ email: 'race@example.com', password })),
  )

  expect(both.map(({ error }) => error?.code ?? 'in').toSorted()).toEqual(['in', 'user_already_exists'])
})

it('refuses a sign-up with a short password and names the reason', async () => {
  const { error } = await auth.client().auth.signUp({ email: 'short@example.com', password: 'lure5' })

  expect(error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] })
})

it('ends the session when a customer signs out', async () => {
  const client = auth.client()
  const { data } = await client.auth.signUp({ email: 'leaver@example.com', password })

  await client.auth.signOut()

  const token = data.session?.access_token ?? ''
  expect((await client.auth.getUser(token)).error?.name).toBe('AuthSessionMissingError')
  const refreshed = await client.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? '' })
  expect(refreshed.error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
})

it('accepts emoji in passwords and metadata', async () => {
  const emoji = '🎣🐟🦈🪝🌊⚓'

  const { data, error } = await auth.client().auth.signUp({
    email: 'emoji@example.com',
    password: emoji,
    options: { data: { full_name: '👩‍👩‍👧 Ñandú', '🎣': ['🐟'] } },
  })

  expect(error).toBeNull()
  expect(data.user?.user_metadata).toMatchObject({ full_name: '👩‍👩‍👧 Ñandú', '🎣': ['🐟'] })
  const again = await auth.client().auth.signInWithPassword({ email: 'emoji@example.com', password: emoji })
  expect(again.error).toBeNull()
  expect((await auth.client().auth.getUser(again.data.session?.access_token)).data.user?.id).toBe(
    data.user?.id,
  )
})
