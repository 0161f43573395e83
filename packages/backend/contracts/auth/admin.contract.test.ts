import type { SupabaseClient } from '@supabase/supabase-js'
import { hash } from 'bcryptjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { openAuth, type TestAuth } from '#backend/testing/auth.ts'
import { bareDatabase } from '#backend/testing/database.ts'
import { totpCode } from '#backend/auth/factors/totp.ts'

let auth: TestAuth
let admin: SupabaseClient['auth']['admin']
beforeAll(async () => {
  auth = await openAuth({ autoconfirm: false, minimumResponseMs: 0 })
  admin = auth.client(auth.keys.secret).auth.admin
})
beforeEach(() => {
  auth.mails.length = 0
})
afterAll(() => auth.close())

const password = 'salt-water-42'
let people = 0
function newAddress(): string {
  people += 1
  return `angler${people}@example.com`
}

async function createAccount(email = newAddress()) {
  const { data, error } = await admin.createUser({ email, password, email_confirm: true })
  if (error) throw error
  return { id: data.user.id, email }
}

describe('a server with the secret key', () => {
  it('lets an admin create a confirmed account that can sign in immediately', async () => {
    const email = newAddress()

    const { data, error } = await admin.createUser({
      email,
      password,
      email_confirm: true,
      user_metadata: { full_name: 'Sipho 🎣' },
      app_metadata: { staff: true },
    })

    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email,
      user_metadata: { full_name: 'Sipho 🎣' },
      app_metadata: { staff: true, provider: 'email', providers: ['email'] },
    })
    expect((await auth.client().auth.signInWithPassword({ email, password })).error).toBeNull()
    expect(auth.mails).toEqual([])
  })

  it('imports an account with a bcrypt password hash', async () => {
    const email = newAddress()

    await admin.createUser({ email, password_hash: await hash(password, 4), email_confirm: true })

    expect((await auth.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  })

  it('refuses to create a second account for an e-mail address', async () => {
    const { email } = await createAccount()

    const { error } = await admin.createUser({ email, password })

    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('lists accounts page by page with the total number', async () => {
    for (let count = 0; count < 3; count += 1) await createAccount()

    const first = await admin.listUsers({ page: 1, perPage: 2 })

    expect(first.data).toMatchObject({ nextPage: 2, aud: 'authenticated' })
    expect(first.data.users).toHaveLength(2)
    expect('total' in first.data && first.data.total).toBeGreaterThanOrEqual(3)
  })

  it('lists the newest accounts on the first page', async () => {
    const [older, newer] = [await createAccount(), await createAccount()]

    const { data } = await admin.listUsers({ page: 1, perPage: 2 })

    expect(data.users.map(({ email }) => email)).toEqual([newer.email, older.email])
  })

  it('lets an admin update address, password and metadata of an account', async () => {
    const { id } = await createAccount()
    const email = newAddress()

    const { data, error } = await admin.updateUserById(id, {
      email,
      password: 'fresh-water-43',
      user_metadata: { full_name: 'Renamed' },
      app_metadata: { staff: true },
    })

    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      id,
      email,
      user_metadata: { full_name: 'Renamed' },
      app_metadata: { staff: true },
    })
    expect(
      (await auth.client().auth.signInWithPassword({ email, password: 'fresh-water-43' })).error,
    ).toBeNull()
  })

  it('bans an account for a given duration and lifts the ban', async () => {
    const { id, email } = await createAccount()

    await admin.updateUserById(id, { ban_duration: '1h30m' })
    const banned = await auth.client().auth.signInWithPassword({ email, password })
    await admin.updateUserById(id, { ban_duration: 'none' })
    const free = await auth.client().auth.signInWithPassword({ email, password })
    const nonsense = await admin.updateUserById(id, { ban_duration: 'a while' })

    expect([banned.error?.code, free.error]).toEqual(['user_banned', null])
    expect(nonsense.error).toMatchObject({ status: 400, code: 'validation_failed' })
  })

  it('refuses a mailed link of a banned account', async () => {
    const { id, email } = await createAccount()
    const { data } = await admin.generateLink({ type: 'magiclink', email })
    const link = { token_hash: data.properties?.hashed_token ?? '', type: 'magiclink' as const }
    await admin.updateUserById(id, { ban_duration: '1h' })

    const banned = await auth.client().auth.verifyOtp(link)
    await admin.updateUserById(id, { ban_duration: 'none' })
    const free = await auth.client().auth.verifyOtp(link)

    expect([banned.error?.code, free.error]).toEqual(['user_banned', null])
  })

  it.each([
    ['90s', 90],
    ['1h30m', 5_400],
    ['24h', 86_400],
  ])('bans an account for %s as long as that', async (duration, seconds) => {
    const { id } = await createAccount()

    await admin.updateUserById(id, { ban_duration: duration })

    const { rows } = await auth.database.owner.query(
      'select extract(epoch from banned_until - updated_at)::int as seconds from auth.users where id = $1',
      [id],
    )
    expect(rows).toEqual([{ seconds }])
  })

  it('lists at most a thousand accounts per page', async () => {
    const answer = await auth.fetch('http://localhost:3000/auth/v1/admin/users?per_page=5000', {
      headers: { authorization: `Bearer ${auth.keys.secret}` },
    })

    expect(answer.headers.get('link')).toContain('per_page=1000>')
  })

  it('does not list an account whose anonymous row is kept', async () => {
    const [listed, deleted] = [await createAccount(), await createAccount()]
    await admin.deleteUser(deleted.id, true)

    const { data } = await admin.listUsers({ perPage: 1000 })

    const ids = data.users.map(({ id }) => id)
    expect([ids.includes(listed.id), ids.includes(deleted.id)]).toEqual([true, false])
  })

  it('removes the personal data from the row of a deleted account that it keeps', async () => {
    const { data } = await admin.createUser({
      email: newAddress(),
      email_confirm: true,
      user_metadata: { full_name: 'Sipho' },
      app_metadata: { card: '4071' },
    })
    const id = data.user?.id ?? ''

    await admin.deleteUser(id, true)

    const { rows } = await auth.database.owner.query(
      'select u::text as row from auth.users u where id = $1',
      [id],
    )
    expect(rows).toEqual([{ row: expect.not.stringMatching(/Sipho|4071|@/) }])
  })

  it('deletes an account completely or keeps an anonymous row', async () => {
    const [hard, soft] = [await createAccount(), await createAccount()]

    await admin.deleteUser(hard.id)
    await admin.deleteUser(soft.id, true)

    expect((await admin.getUserById(hard.id)).error).toMatchObject({ status: 404, code: 'user_not_found' })
    expect((await auth.client().auth.signInWithPassword({ ...soft, password })).error?.code).toBe(
      'invalid_credentials',
    )
    const { rows } = await auth.database.owner.query(
      'select email, deleted_at from auth.users where id = $1',
      [soft.id],
    )
    expect(rows).toEqual([{ email: expect.not.stringContaining('@'), deleted_at: expect.any(Date) }])
    expect((await admin.createUser({ email: soft.email, password })).error).toBeNull()
  })

  it('ends the sessions of an account that keeps an anonymous row', async () => {
    const { id, email } = await createAccount()
    await auth.client().auth.signInWithPassword({ email, password })

    await admin.deleteUser(id, true)

    const { rows } = await auth.database.owner.query('select from auth.sessions where user_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('generates a recovery link and code without sending an e-mail', async () => {
    const { email } = await createAccount()

    const { data, error } = await admin.generateLink({ type: 'recovery', email })
    const used = await auth
      .client()
      .auth.verifyOtp({ token_hash: data.properties?.hashed_token ?? '', type: 'recovery' })

    expect(error).toBeNull()
    expect(data.properties?.action_link).toContain('/auth/v1/verify?token=')
    expect(data.properties?.email_otp).toMatch(/^\d{6}$/)
    expect(used.data.user?.email).toBe(email)
    expect(auth.mails).toEqual([])
  })

  it.each(['signup', 'invite', 'magiclink'] as const)(
    'creates the account when a server generates a %s link',
    async (type) => {
      const email = newAddress()

      const { data, error } = await admin.generateLink({ type, email, password })
      const answer = await auth.fetch(data.properties?.action_link ?? '')

      expect(error).toBeNull()
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toContain(`type=${type}`)
      expect((await admin.getUserById(data.user?.id ?? '')).data.user?.email_confirmed_at).toBeTruthy()
    },
  )

  it.each(['signup', 'invite'] as const)('makes no %s link for a confirmed account', async (type) => {
    const { email } = await createAccount()

    const { error } = await admin.generateLink({ type, email, password })

    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('invites a new user by e-mail', async () => {
    const email = newAddress()

    const { data, error } = await admin.inviteUserByEmail(email, { data: { full_name: 'Guest' } })

    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email,
      invited_at: expect.any(String),
      user_metadata: { full_name: 'Guest' },
    })
    expect(auth.mails).toMatchObject([{ kind: 'invite', to: email }])
  })

  it('sends no invitation to a confirmed account', async () => {
    const { email } = await createAccount()

    const { error } = await admin.inviteUserByEmail(email)

    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
    expect(auth.mails).toEqual([])
  })

  it('invalidates a pending recovery link when an admin changes the address', async () => {
    const { id, email } = await createAccount()
    const { data } = await admin.generateLink({ type: 'recovery', email })
    await admin.updateUserById(id, { email: newAddress() })

    const { error } = await auth
      .client()
      .auth.verifyOtp({ token_hash: data.properties?.hashed_token ?? '', type: 'recovery' })

    expect(error).toMatchObject({ code: 'otp_expired' })
  })

  it('lets an admin sign a user out of all sessions', async () => {
    const { email } = await createAccount()
    const client = auth.client()
    const { data } = await client.auth.signInWithPassword({ email, password })

    await admin.signOut(data.session?.access_token ?? '', 'global')

    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  })

  it('lets an admin delete a user’s lost second factor', async () => {
    const { id, email } = await createAccount()
    const client = auth.client()
    await client.auth.signInWithPassword({ email, password })
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp' })
    await client.auth.mfa.challengeAndVerify({
      factorId: data?.id ?? '',
      code: totpCode(data?.totp.secret ?? ''),
    })

    const listed = await admin.mfa.listFactors({ userId: id })
    const removed = await admin.mfa.deleteFactor({ userId: id, id: data?.id ?? '' })

    expect(listed.data?.factors).toMatchObject([{ id: data?.id, status: 'verified' }])
    expect(removed.error).toBeNull()
    expect((await client.auth.getUser()).data.user?.factors).toBeUndefined()
  })

  it('returns 404 for the unknown id of an account', async () => {
    const nobody = await admin.getUserById('00000000-0000-4000-8000-000000000000')

    expect(nobody.error).toMatchObject({ status: 404, code: 'user_not_found', message: 'User not found' })
  })
})

it('puts 192 random bits into the secret key', async () => {
  const other = await bareDatabase()
  const keys = await loadClientKeys(other.database.owner)
  await other.close()

  expect(keys.secret).toMatch(/^sb_secret_[\w-]{32}$/)
  expect(keys.secret).not.toBe(auth.keys.secret)
})

it('refuses calls of the admin API without the secret key', async () => {
  const { id, email } = await createAccount()
  const customer = auth.client()
  const { data } = await customer.auth.signInWithPassword({ email, password })
  const calls = [
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['GET', `/admin/users/${id}`],
    ['PUT', `/admin/users/${id}`],
    ['DELETE', `/admin/users/${id}`],
    ['GET', `/admin/users/${id}/factors`],
    ['POST', '/admin/generate_link'],
    ['POST', '/invite'],
  ]
  const bearers = [data.session?.access_token, auth.keys.publishable, `${auth.keys.secret}x`, 'garbage']

  for (const [method, path] of calls) {
    for (const bearer of bearers) {
      const answer = await auth.fetch(`http://localhost:3000/auth/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, apikey: auth.keys.publishable },
        body: method === 'GET' ? undefined : '{}',
      })
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 403 })
    }
    const none = await auth.fetch(`http://localhost:3000/auth/v1${path}`, {
      method,
      body: method === 'GET' ? undefined : '{}',
    })
    expect(none.status).toBe(401)
  }
})
