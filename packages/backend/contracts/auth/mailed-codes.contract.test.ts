import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import type { AuthMail } from '#backend/auth/mail.ts'

const many = { tries: 50, periodSeconds: 60 }
let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth({
    autoconfirm: false,
    minimumResponseMs: 0,
    redirectAllowList: ['https://*.saltfreak.example/**'],
    limits: { mailsPerAccount: many, mailsPerAccountAndHour: many, mailsPerAccountAndDay: many },
    passwordChangeNeedsReauthentication: true,
  })
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

function lastMail(to?: string): AuthMail {
  const mail = auth.mails.findLast((one) => to === undefined || one.to === to)
  if (!mail) throw new Error('no mail was sent')
  return mail
}

function tokenHashOf(mail: AuthMail): string {
  return new URL(mail.link ?? '').searchParams.get('token') ?? ''
}

async function signUpConfirmed(email = newAddress()) {
  const client = auth.client()
  await client.auth.signUp({ email, password })
  const { error } = await client.auth.verifyOtp({ email, token: lastMail(email).code, type: 'signup' })
  if (error) throw error
  return { client, email }
}

async function signedInYesterday() {
  const { client, email } = await signUpConfirmed()
  await auth.database.owner.query(
    `update auth.sessions set created_at = created_at - interval '25 hours'
     where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  return client
}

function follow(link: string | null, method = 'POST') {
  return auth.fetch(link ?? '', { method, redirect: 'manual' })
}

function fragmentOf(answer: Response): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)))
}

describe('sign-up by mail', () => {
  it('refuses sign-in until the e-mail address is confirmed', async () => {
    const email = newAddress()
    const client = auth.client()

    const { data, error } = await client.auth.signUp({ email, password })

    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) })
    expect(data.user?.email_confirmed_at).toBeUndefined()
    expect((await client.auth.signInWithPassword({ email, password })).error?.code).toBe(
      'email_not_confirmed',
    )
    expect(lastMail()).toMatchObject({
      kind: 'confirmation',
      to: email,
      code: expect.stringMatching(/^\d{6}$/),
    })
  })

  it('accepts the mailed code of a sign-up once', async () => {
    const email = newAddress()
    await auth.client().auth.signUp({ email, password })
    const given = { email, token: lastMail().code, type: 'signup' as const }

    const first = await auth.client().auth.verifyOtp(given)
    const second = await auth.client().auth.verifyOtp(given)

    expect(first.data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) })
    expect(first.data.session?.access_token).toBeTruthy()
    expect(second.error).toMatchObject({
      status: 403,
      code: 'otp_expired',
      message: 'Token has expired or is invalid',
    })
  })

  it('confirms a sign-up with the token hash of the mailed link', async () => {
    const email = newAddress()
    await auth.client().auth.signUp({ email, password })

    const { data } = await auth
      .client()
      .auth.verifyOtp({ token_hash: tokenHashOf(lastMail()), type: 'email' })

    expect(data.session?.user.email).toBe(email)
  })

  it('returns a fake user when an address that has an account signs up again', async () => {
    const { email } = await signUpConfirmed()
    auth.mails.length = 0

    const { data, error } = await auth.client().auth.signUp({ email, password })

    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, identities: [] })
    expect(auth.mails).toEqual([])
  })

  it('resends the confirmation and discards both passwords when an unconfirmed account signs up again', async () => {
    const email = newAddress()
    await auth.client().auth.signUp({ email, password: 'password-of-a-stranger' })
    await auth.client().auth.signUp({ email, password })
    await auth.client().auth.resend({ type: 'signup', email })

    expect(auth.mails.map(({ kind }) => kind)).toEqual(['confirmation', 'confirmation', 'confirmation'])
    const reader = auth.client()
    await reader.auth.verifyOtp({ email, token: lastMail().code, type: 'signup' })
    for (const attempt of ['password-of-a-stranger', password]) {
      const { error } = await auth.client().auth.signInWithPassword({ email, password: attempt })
      expect(error?.code).toBe('invalid_credentials')
    }
    await reader.auth.updateUser({ password })
    expect((await auth.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  })

  it('creates no account when the confirmation e-mail cannot be queued', async () => {
    const email = newAddress()
    const failing = auth.anotherProcess({ autoconfirm: false, minimumResponseMs: 0 }, async () => {
      throw new Error('no outbox')
    })

    const answer = await failing.request(`${PUBLIC_URL}/auth/v1/signup`, {
      method: 'POST',
      body: JSON.stringify({ email, password }),
    })

    expect(answer.status).toBe(500)
    const left = await auth.database.owner.query('select from auth.users where email = $1', [email])
    expect(left.rowCount).toBe(0)
  })
})

describe('mailed links', () => {
  it('signs in with a mailed link even after mail scanners have opened the link', async () => {
    const email = newAddress()
    await auth.client().auth.signUp({
      email,
      password,
      options: { emailRedirectTo: 'https://www.saltfreak.example/?redirect=/products' },
    })
    const { link } = lastMail()

    const looks = [await follow(link, 'GET'), await follow(link, 'HEAD'), await follow(link, 'GET')]
    const pressed = await follow(link)

    expect(looks.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await looks[0]?.text()).toContain('<button>Continue</button>')
    expect(pressed.status).toBe(303)
    expect(pressed.headers.get('location')).toMatch(
      /^https:\/\/www\.saltfreak\.example\/\?redirect=\/products#/,
    )
    expect(fragmentOf(pressed)).toMatchObject({
      token_type: 'bearer',
      type: 'signup',
      expires_in: '3600',
      sb: '',
    })
    const { data } = await auth.client().auth.getUser(fragmentOf(pressed)['access_token'])
    expect(data.user?.email).toBe(email)
  })

  it('keeps a mailed link and its tokens out of caches, frames and requests to other sites', async () => {
    await auth.client().auth.signUp({ email: newAddress(), password })
    const { link } = lastMail()

    const [page, redirect] = [await follow(link, 'GET'), await follow(link)]

    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect([page, redirect].map(({ headers }) => headers.get('cache-control'))).toEqual([
      'no-store',
      'no-store',
    ])
  })

  it('does not consume a mailed link on a HEAD request', async () => {
    await auth.client().auth.signUp({ email: newAddress(), password })
    const link = lastMail().link?.replace('/confirm?', '/verify?') ?? ''

    await follow(link, 'HEAD')

    expect(fragmentOf(await follow(link, 'GET'))['access_token']).toBeTruthy()
  })

  it('redirects a used mailed link to the application with an error', async () => {
    await auth.client().auth.signUp({ email: newAddress(), password })
    const { link } = lastMail()
    await follow(link)

    const again = await follow(link?.replace('/confirm?', '/verify?') ?? '', 'GET')

    expect(again.status).toBe(303)
    expect(fragmentOf(again)).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    })
  })

  it.each([
    ['https://evil.example/', false],
    ['https://saltfreak.example.evil.example/', false],
    ['https://www.saltfreak.example.evil.example/x', false],
    ['javascript:alert(1)', false],
    ['//evil.example', false],
    ['http://localhost:3000@evil.example/', false],
    ['http://user:pass@localhost:3000/', false],
    ['http://localhost:5173/welcome', true],
    ['https://www.saltfreak.example/welcome', true],
  ])('allows the redirect of a confirmed sign-up to %s: %s', async (wanted, isAllowed) => {
    await auth.client().auth.signUp({ email: newAddress(), password, options: { emailRedirectTo: wanted } })

    const answer = await follow(lastMail().link)

    const target = answer.headers.get('location')?.replace(/#.*/, '')
    expect(target).toBe(isAllowed ? wanted : `${PUBLIC_URL}/`)
  })

  it('refuses mailed codes and links after an hour', async () => {
    const email = newAddress()
    await auth.client().auth.signUp({ email, password })
    await auth.database.owner.query(
      `update auth.one_time_tokens set created_at = created_at - interval '61 minutes'`,
    )

    const typed = await auth.client().auth.verifyOtp({ email, token: lastMail().code, type: 'signup' })

    expect(typed.error?.code).toBe('otp_expired')
    expect(fragmentOf(await follow(lastMail().link))['error_code']).toBe('otp_expired')
  })
})

describe('password recovery', () => {
  it('replaces a forgotten password and ends the other sessions', async () => {
    const { client: thief, email } = await signUpConfirmed()
    const client = auth.client()

    const { error } = await client.auth.resetPasswordForEmail(email)
    await client.auth.verifyOtp({ email, token: lastMail().code, type: 'recovery' })
    const changed = await client.auth.updateUser({ password: 'fresh-water-43' })

    expect([error, changed.error]).toEqual([null, null])
    expect((await thief.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await auth.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'invalid_credentials',
    )
    expect(
      (await auth.client().auth.signInWithPassword({ email, password: 'fresh-water-43' })).error,
    ).toBeNull()
  })

  it('returns the same response when a password recovery names an unknown address', async () => {
    const { email } = await signUpConfirmed()
    auth.mails.length = 0

    const known = await auth.client().auth.resetPasswordForEmail(email)
    const unknown = await auth.client().auth.resetPasswordForEmail('nobody@example.com')

    expect(known).toEqual(unknown)
    expect(auth.mails.map(({ to }) => to)).toEqual([email])
  })

  it('rate-limits recovery requests for known and unknown addresses', async () => {
    const strict = auth.anotherProcess({
      minimumResponseMs: 0,
      limits: { mailsPerAccount: { tries: 1, periodSeconds: 60 } },
    })
    const ask = (email: string) =>
      strict.request(`${PUBLIC_URL}/auth/v1/recover`, { method: 'POST', body: JSON.stringify({ email }) })
    const { email } = await signUpConfirmed()

    for (const address of [email, 'stranger@example.com']) {
      const answers = [await ask(address), await ask(address)]
      expect(answers.map(({ status }) => status)).toEqual([200, 429])
      expect(await answers[1]?.json()).toMatchObject({
        error_code: 'over_email_send_rate_limit',
        msg: expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/),
      })
    }
  })
})

describe('typed codes', () => {
  it('blocks mailed codes after twenty wrong guesses', async () => {
    const { email } = await signUpConfirmed()
    await auth.client().auth.resetPasswordForEmail(email)

    const codes: unknown[] = []
    for (let guess = 0; guess < 21; guess += 1) {
      const { error } = await auth.client().auth.verifyOtp({ email, token: 'wrong!', type: 'recovery' })
      codes.push(error?.code)
    }

    expect(codes).toEqual([...Array(20).fill('otp_expired'), 'over_request_rate_limit'])
  })

  it('accepts a new mailed code after five wrong guesses at the former one', async () => {
    const { email } = await signUpConfirmed()
    const type = 'recovery'
    await auth.client().auth.resetPasswordForEmail(email)
    for (let guess = 0; guess < 5; guess += 1)
      await auth.client().auth.verifyOtp({ email, token: 'wrong!', type })
    const former = await auth.client().auth.verifyOtp({ email, token: lastMail(email).code, type })

    await auth.client().auth.resetPasswordForEmail(email)
    const next = await auth.client().auth.verifyOtp({ email, token: lastMail(email).code, type })

    expect([former.error?.code, next.error]).toEqual(['otp_expired', null])
  })

  it('refuses the mailed code of another account', async () => {
    const [one, other] = [await signUpConfirmed(), await signUpConfirmed()]
    await auth.client().auth.resetPasswordForEmail(one.email)
    const { code } = lastMail()
    await auth.client().auth.resetPasswordForEmail(other.email)

    const { error } = await auth
      .client()
      .auth.verifyOtp({ email: other.email, token: code, type: 'recovery' })

    expect(error?.code).toBe('otp_expired')
  })
})

describe('sign-in by mail', () => {
  it('signs in an existing account by mailed code and creates a missing account', async () => {
    const { email } = await signUpConfirmed()
    const fresh = newAddress()

    await auth.client().auth.signInWithOtp({ email })
    const known = await auth.client().auth.verifyOtp({ email, token: lastMail().code, type: 'email' })
    await auth.client().auth.signInWithOtp({ email: fresh, options: { data: { full_name: 'Ntombi' } } })
    const made = await auth.client().auth.verifyOtp({ email: fresh, token: lastMail().code, type: 'email' })

    expect(known.data.user?.email).toBe(email)
    expect(made.data.user).toMatchObject({ email: fresh, user_metadata: { full_name: 'Ntombi' } })
  })

  it('returns 422 for an unknown address when the request forbids new accounts', async () => {
    const { error } = await auth
      .client()
      .auth.signInWithOtp({ email: newAddress(), options: { shouldCreateUser: false } })

    expect(error).toMatchObject({
      status: 422,
      code: 'otp_disabled',
      message: 'Signups not allowed for otp',
    })
    expect(auth.mails).toEqual([])
  })

  it('creates no account for a sign-in by mail when sign-up is closed', async () => {
    const closed = auth.anotherProcess({ isSignUpOpen: false, minimumResponseMs: 0 })
    const email = newAddress()

    const answer = await closed.request(`${PUBLIC_URL}/auth/v1/otp`, {
      method: 'POST',
      body: JSON.stringify({ email }),
    })

    expect(answer.status).toBe(200)
    expect(auth.mails).toEqual([])
    const { rows } = await auth.database.owner.query('select from auth.users where email = $1', [email])
    expect(rows).toEqual([])
  })

  it.each([42, 129])('refuses a PKCE challenge of %s characters', async (length) => {
    const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/otp`, {
      method: 'POST',
      body: JSON.stringify({
        email: newAddress(),
        code_challenge: 'x'.repeat(length),
        code_challenge_method: 's256',
      }),
    })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error_code: 'validation_failed' })
  })

  it('exchanges a PKCE code only in the browser that requested the link', async () => {
    const { email } = await signUpConfirmed()
    const browser = pkceBrowser()

    const right = await browser.auth.exchangeCodeForSession(await requestPkceCode(browser, email))
    const code = await requestPkceCode(browser, email)
    const wrong = await auth.fetch(`${PUBLIC_URL}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      body: JSON.stringify({ auth_code: code, code_verifier: 'x'.repeat(56) }),
    })
    const late = await browser.auth.exchangeCodeForSession(code)

    expect(right.error).toBeNull()
    expect(right.data.user?.email).toBe(email)
    expect(await wrong.json()).toMatchObject({ error_code: 'bad_code_verifier' })
    expect(late.error?.code).toBe('flow_state_not_found')
  })

  it('refuses a PKCE code five minutes after the link was followed', async () => {
    const { email } = await signUpConfirmed()
    const browser = pkceBrowser()
    const exchangeAfter = async (minutes: number) => {
      const code = await requestPkceCode(browser, email)
      await auth.database.owner.query(
        'update auth.flow_state set auth_code_issued_at = now() - make_interval(mins => $1) where auth_code is not null',
        [minutes],
      )
      return browser.auth.exchangeCodeForSession(code)
    }

    expect((await exchangeAfter(4)).error).toBeNull()
    expect((await exchangeAfter(6)).error?.code).toBe('flow_state_expired')
  })

  it('refuses the PKCE code of an account that was banned after the link was followed', async () => {
    const { email } = await signUpConfirmed()
    const browser = pkceBrowser()
    const code = await requestPkceCode(browser, email)
    await auth.database.owner.query(
      `update auth.users set banned_until = now() + interval '1 hour' where email = $1`,
      [email],
    )

    const { error } = await browser.auth.exchangeCodeForSession(code)

    expect(error).toMatchObject({ status: 403, code: 'user_banned' })
  })
})

/** A browser whose links carry a code instead of tokens. */
function pkceBrowser(): SupabaseClient {
  const storage = new Map<string, string>()
  return createClient(PUBLIC_URL, auth.keys.publishable, {
    global: { fetch: auth.clientFetch },
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    },
  })
}

/** Requests a link and follows it. Returns the code of the address that opens. */
async function requestPkceCode(browser: SupabaseClient, email: string): Promise<string> {
  await browser.auth.signInWithOtp({ email })
  const answer = await follow(lastMail().link)
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

describe('account changes', () => {
  it('merges account metadata and removes members that are set to null', async () => {
    const { client } = await signUpConfirmed()

    await client.auth.updateUser({ data: { full_name: 'Pieter 🎣', boat: 'Bona' } })
    const { data } = await client.auth.updateUser({ data: { boat: null } })

    expect(data.user?.user_metadata).toMatchObject({ full_name: 'Pieter 🎣' })
    expect(data.user?.user_metadata).not.toHaveProperty('boat')
  })

  it('changes an account’s address only after both mailboxes have confirmed', async () => {
    const { client, email } = await signUpConfirmed()
    const wanted = newAddress()

    const asked = await client.auth.updateUser({ email: wanted })
    const [toOld, toNew] = [lastMail(email), lastMail(wanted)]
    const half = await follow(toNew.link)
    const whole = await auth.client().auth.verifyOtp({ email, token: toOld.code, type: 'email_change' })

    expect(asked.data.user).toMatchObject({ email, new_email: wanted })
    expect(fragmentOf(half)['message']).toContain('confirm link sent to the other email')
    expect(whole.data.user).toMatchObject({ email: wanted, identities: [{ email: wanted }] })
    expect(whole.data.user?.new_email).toBeUndefined()
  })

  it('neither reveals nor takes over another account’s address in an address change', async () => {
    const [{ client, email }, other] = [await signUpConfirmed(), await signUpConfirmed()]
    auth.mails.length = 0

    const asked = await client.auth.updateUser({ email: other.email })
    const { data } = await client.auth.verifyOtp({ email, token: lastMail(email).code, type: 'email_change' })

    expect(asked.error).toBeNull()
    expect(auth.mails.map(({ to }) => to)).toEqual([email])
    expect(data.session).toBeNull()
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
  })

  it('refuses to change a password to the same or a short password', async () => {
    const { client } = await signUpConfirmed()

    const same = await client.auth.updateUser({ password })
    const short = await client.auth.updateUser({ password: 'lure5' })

    expect([same.error?.code, short.error?.code]).toEqual(['same_password', 'weak_password'])
  })

  it('requires a mailed code for a password change a day after sign-in', async () => {
    const client = await signedInYesterday()

    const refused = await client.auth.updateUser({ password: 'fresh-water-43' })
    await client.auth.reauthenticate()
    const wrong = await client.auth.updateUser({ password: 'fresh-water-43', nonce: '000000' })
    const right = await client.auth.updateUser({ password: 'fresh-water-43', nonce: lastMail().code })

    expect(refused.error).toMatchObject({ status: 400, code: 'reauthentication_needed' })
    expect(wrong.error?.code).toBe('reauthentication_not_valid')
    expect(right.error).toBeNull()
  })

  it('accepts a mailed code once more after refusing the present password as the new one', async () => {
    const client = await signedInYesterday()
    await client.auth.reauthenticate()
    const nonce = lastMail().code

    const same = await client.auth.updateUser({ password, nonce })
    const other = await client.auth.updateUser({ password: 'fresh-water-43', nonce })
    const again = await client.auth.updateUser({ password: 'other-water-44', nonce })

    expect(same.error?.code).toBe('same_password')
    expect(other.error).toBeNull()
    expect(again.error?.code).toBe('reauthentication_not_valid')
  })
})

it('lists the available sign-in methods in the settings', async () => {
  const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/settings`)

  expect(await answer.json()).toMatchObject({
    external: { email: true, phone: false, google: false },
    disable_signup: false,
    mailer_autoconfirm: false,
  })
})
