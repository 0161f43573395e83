import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { totpCode } from '#backend/auth/factors/totp.ts'

const SQUATTERS = 'squatters-word-1'
const OWNERS = 'owners-word-2'
const many = { tries: 1000, periodSeconds: 1 }
const limits = { mailsPerAccount: many, mailsPerAccountAndHour: many, mailsPerAccountAndDay: many }

let atOnce: TestAuth
let byMail: TestAuth
beforeAll(async () => {
  atOnce = await openAuth({ limits, minimumResponseMs: 0 })
  byMail = await openAuth({ autoconfirm: false, limits, minimumResponseMs: 0 })
})
afterAll(async () => {
  await atOnce.close()
  await byMail.close()
})

const newAddress = () => `angler-${crypto.randomUUID()}@example.com`

async function signUp(auth: TestAuth, email: string, as: string | { password: string; name: string }) {
  const { password, name } = typeof as === 'string' ? { password: as, name: 'Sam' } : as
  const client = auth.client()
  const { data, error } = await client.auth.signUp({
    email,
    password,
    options: { data: { full_name: name } },
  })
  return { client, data, error }
}

async function canSignIn(auth: TestAuth, email: string, password: string): Promise<boolean> {
  return (await auth.client().auth.signInWithPassword({ email, password })).error === null
}

/** Confirms the address in the browser that signed up, which also sends its session. */
async function confirmOwn(
  auth: TestAuth,
  { client }: { client: ReturnType<TestAuth['client']> },
  email: string,
) {
  await client.auth.resend({ type: 'signup', email })
  const mail = auth.mails.findLast(({ to }) => to === email)
  const { data } = await client.auth.getSession()
  const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'signup', email, token: mail?.code }),
  })
  expect(answer.status).toBe(200)
}

/** Uses the code of the latest mail to the address. */
async function readMail(auth: TestAuth, email: string, type: 'signup' | 'recovery' | 'magiclink' | 'invite') {
  const mail = auth.mails.findLast(({ to }) => to === email)
  const client = auth.client()
  const { error } = await client.auth.verifyOtp({ email, token: mail?.code ?? '', type })
  if (error) throw error
  return client
}

/** Creates the recovery codes of a session with a second factor. Returns their number. */
async function createRecoveryCodes(
  auth: TestAuth,
  { client }: { client: ReturnType<TestAuth['client']> },
): Promise<number> {
  const { data } = await client.auth.getSession()
  const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/factors/recovery-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.session?.access_token}` },
  })
  return (await answer.json()).codes.length
}

async function countRecoveryCodes(auth: TestAuth, email: string): Promise<number> {
  const { rows } = await auth.database.owner.query<{ codes: number }>(
    `select count(*)::int as codes from auth.recovery_codes
     where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  return rows[0]?.codes ?? 0
}

async function isProven(auth: TestAuth, email: string): Promise<boolean> {
  const { rows } = await auth.database.owner.query<{ proven: boolean }>(
    'select auth.has_proven_mailbox(id) as proven from auth.users where email = $1',
    [email],
  )
  return rows[0]?.proven === true
}

it('leaves the mailbox of an autoconfirmed sign-up unverified', async () => {
  const email = newAddress()

  await signUp(atOnce, email, OWNERS)

  expect(await isProven(atOnce, email)).toBe(false)
})

it.each(['signup', 'recovery', 'magiclink'] as const)(
  'marks a mailbox as verified when the reader uses a %s link',
  async (type) => {
    const email = newAddress()
    const { client } = await signUp(atOnce, email, OWNERS)
    if (type === 'signup') await client.auth.resend({ type, email })
    if (type === 'recovery') await client.auth.resetPasswordForEmail(email)
    if (type === 'magiclink') await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })

    await readMail(atOnce, email, type)

    expect(await isProven(atOnce, email)).toBe(true)
  },
)

it('leaves a new address unverified when the address changes without a mailed link', async () => {
  const email = newAddress()
  const owner = await signUp(atOnce, email, OWNERS)
  await confirmOwn(atOnce, owner, email)

  const moved = newAddress()
  await owner.client.auth.updateUser({ email: moved })

  expect(await isProven(atOnce, moved)).toBe(false)
})

describe('a second sign-up for an unverified account', () => {
  it('returns the same error for a sign-up with a verified or unverified address under autoconfirm', async () => {
    const [unverified, verified] = [newAddress(), newAddress()]
    for (const email of [unverified, verified]) await signUp(atOnce, email, SQUATTERS)
    await atOnce.client().auth.resend({ type: 'signup', email: verified })
    await readMail(atOnce, verified, 'signup')

    const [first, second] = [await signUp(atOnce, unverified, OWNERS), await signUp(atOnce, verified, OWNERS)]

    expect(first.error).toMatchObject({ code: 'user_already_exists' })
    expect(second.error).toMatchObject({ code: 'user_already_exists', message: first.error?.message })
    expect(await canSignIn(atOnce, unverified, SQUATTERS)).toBe(true)
  })

  it('reveals nothing of an unverified account to a second sign-up', async () => {
    const email = newAddress()
    const squatter = await signUp(byMail, email, { password: SQUATTERS, name: 'Mallory' })

    const owner = await signUp(byMail, email, { password: OWNERS, name: 'Thandi' })

    expect(owner.error).toBeNull()
    expect(owner.data.user?.id).not.toBe(squatter.data.user?.id)
    expect(Object.keys(owner.data.user ?? {}).toSorted()).toEqual(
      Object.keys(squatter.data.user ?? {}).toSorted(),
    )
    expect(JSON.stringify(owner.data)).not.toContain('Mallory')
  })

  it.each(['at once', 'by mail'])(
    'gives an account that a stranger registered (%s) to the mailbox owner',
    async (way) => {
      const auth = way === 'at once' ? atOnce : byMail
      const email = newAddress()
      const squatter = await signUp(auth, email, { password: SQUATTERS, name: 'Mallory' })
      await signUp(auth, email, { password: OWNERS, name: 'Thandi' })

      const owner = await readMail(auth, email, 'signup')

      expect(await canSignIn(auth, email, SQUATTERS)).toBe(false)
      expect(await canSignIn(auth, email, OWNERS)).toBe(false)
      expect((await owner.auth.getUser()).data.user).toMatchObject({ app_metadata: { needs_password: true } })
      expect((await squatter.client.auth.getUser()).error).not.toBeNull()
      await owner.auth.updateUser({ password: OWNERS })
      expect(await canSignIn(auth, email, OWNERS)).toBe(true)
      expect((await owner.auth.getUser()).data.user?.app_metadata).not.toHaveProperty('needs_password')
    },
  )

  it('discards the passwords of all sign-ups for an address when the mailbox is verified', async () => {
    const email = newAddress()
    await signUp(byMail, email, SQUATTERS)
    await signUp(byMail, email, OWNERS)
    await signUp(byMail, email, `${SQUATTERS}-again`)

    const owner = await readMail(byMail, email, 'signup')

    expect((await owner.auth.getUser()).error).toBeNull()
    expect(await canSignIn(byMail, email, `${SQUATTERS}-again`)).toBe(false)
    expect(await canSignIn(byMail, email, OWNERS)).toBe(false)
  })

  it('discards both passwords when a server generates the sign-up link with a second one', async () => {
    const email = newAddress()
    await signUp(byMail, email, SQUATTERS)
    const { admin } = byMail.client(byMail.keys.secret).auth
    const { data } = await admin.generateLink({ type: 'signup', email, password: OWNERS })

    const tokenHash = data.properties?.hashed_token ?? ''
    const { error } = await byMail.client().auth.verifyOtp({ token_hash: tokenHash, type: 'signup' })

    expect(error).toBeNull()
    expect(await canSignIn(byMail, email, SQUATTERS)).toBe(false)
    expect(await canSignIn(byMail, email, OWNERS)).toBe(false)
  })

  it('leaves a verified account unchanged when a stranger signs up again', async () => {
    const email = newAddress()
    await confirmOwn(atOnce, await signUp(atOnce, email, OWNERS), email)
    const before = atOnce.mails.length

    await signUp(atOnce, email, SQUATTERS)

    expect(atOnce.mails).toHaveLength(before)
    expect(await canSignIn(atOnce, email, OWNERS)).toBe(true)
  })
})

it.each(['signup', 'recovery'] as const)(
  'removes a stranger’s password, session and factor when the mailbox owner uses a %s link',
  async (type) => {
    const email = newAddress()
    const squatter = await signUp(atOnce, email, SQUATTERS)
    const { data: factor } = await squatter.client.auth.mfa.enroll({ factorType: 'totp' })
    await squatter.client.auth.mfa.challengeAndVerify({
      factorId: factor?.id ?? '',
      code: totpCode(factor?.totp.secret ?? ''),
    })
    if (type === 'signup') await atOnce.client().auth.resend({ type, email })
    else await atOnce.client().auth.resetPasswordForEmail(email)

    const owner = await readMail(atOnce, email, type)

    expect((await owner.auth.getUser()).data.user?.factors).toBeUndefined()
    expect(await canSignIn(atOnce, email, SQUATTERS)).toBe(false)
    expect((await squatter.client.auth.getUser()).error).not.toBeNull()
  },
)

it('keeps an account’s password and session when the same browser confirms the sign-up', async () => {
  const email = newAddress()
  const owner = await signUp(atOnce, email, OWNERS)
  await signUp(atOnce, email, SQUATTERS)

  await confirmOwn(atOnce, owner, email)

  expect(await isProven(atOnce, email)).toBe(true)
  expect(await canSignIn(atOnce, email, OWNERS)).toBe(true)
  expect(await canSignIn(atOnce, email, SQUATTERS)).toBe(false)
  expect((await owner.client.auth.getUser()).error).toBeNull()
})

it('removes a stranger’s access to an unverified account when the mailbox owner recovers the account', async () => {
  const email = newAddress()
  const squatter = await signUp(atOnce, email, SQUATTERS)
  const { data: factor } = await squatter.client.auth.mfa.enroll({ factorType: 'totp' })
  await squatter.client.auth.mfa.challengeAndVerify({
    factorId: factor?.id ?? '',
    code: totpCode(factor?.totp.secret ?? ''),
  })
  const recoveryCodes = await createRecoveryCodes(atOnce, squatter)
  await atOnce.database.owner.query(
    `update auth.users set email_change = 'evil@example.com' where email = $1`,
    [email],
  )
  await atOnce.client().auth.resetPasswordForEmail(email)

  const owner = await readMail(atOnce, email, 'recovery')

  const { data } = await owner.auth.getUser()
  expect(data.user).toMatchObject({ email })
  expect(data.user?.factors).toBeUndefined()
  expect(data.user?.new_email).toBeUndefined()
  expect(recoveryCodes).toBeGreaterThan(0)
  expect(await countRecoveryCodes(atOnce, email), 'recovery codes').toBe(0)
  expect(await canSignIn(atOnce, email, SQUATTERS)).toBe(false)
  expect((await squatter.client.auth.getUser()).error).not.toBeNull()
})

it('keeps second factors and password of a verified account during recovery', async () => {
  const email = newAddress()
  const owner = await signUp(atOnce, email, OWNERS)
  await confirmOwn(atOnce, owner, email)
  const { data: factor } = await owner.client.auth.mfa.enroll({ factorType: 'totp' })
  await owner.client.auth.mfa.challengeAndVerify({
    factorId: factor?.id ?? '',
    code: totpCode(factor?.totp.secret ?? ''),
  })
  await atOnce.client().auth.resetPasswordForEmail(email)

  const recovered = await readMail(atOnce, email, 'recovery')

  expect((await recovered.auth.getUser()).data.user?.factors).toMatchObject([{ status: 'verified' }])
  expect(await canSignIn(atOnce, email, OWNERS)).toBe(true)
})

/** Returns the kinds of mail sent to an address that signs up, requests the link again, and signs up again. */
async function kindsOfMail(auth: TestAuth) {
  const email = newAddress()
  const { client } = await signUp(auth, email, OWNERS)
  await client.auth.resend({ type: 'signup', email })
  await signUp(auth, email, SQUATTERS)
  return auth.mails.filter(({ to }) => to === email).map(({ kind }) => kind)
}

it('sends a verification e-mail to accounts that can sign in, and otherwise a confirmation e-mail', async () => {
  expect(await kindsOfMail(atOnce)).toEqual(['verification', 'verification'])
  expect(await kindsOfMail(byMail)).toEqual(['confirmation', 'confirmation', 'confirmation'])
})
