import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { hasSessionEnded } from '#backend/auth/sessions/live-session.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth()
})
afterAll(() => auth.close())

const password = 'salt-water-42'

async function signUp(email: string): Promise<SupabaseClient> {
  const client = auth.client()
  await client.auth.signUp({ email, password })
  return client
}

async function signIn(email: string, userAgent: string): Promise<SupabaseClient> {
  const client = auth.client()
  const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'user-agent': userAgent },
    body: JSON.stringify({ email, password }),
  })
  await client.auth.setSession(await answer.json())
  return client
}

async function call(client: SupabaseClient, method: 'GET' | 'DELETE', id = '') {
  const { data } = await client.auth.getSession()
  return auth.fetch(`${PUBLIC_URL}/auth/v1/sessions${id && `/${id}`}`, {
    method,
    headers: { authorization: `Bearer ${data.session?.access_token}` },
  })
}

async function sessionsOf(
  client: SupabaseClient,
): Promise<{ id: string; refreshed_at: string | null; current: boolean }[]> {
  return (await call(client, 'GET')).json()
}

describe('own sessions', () => {
  it('lists the caller’s sessions with device and time, most recently used first', async () => {
    const here = await signUp('sipho@example.com')
    const phone = await signIn('sipho@example.com', 'Phone/1')
    await here.auth.refreshSession()

    const sessions = await sessionsOf(phone)

    expect(sessions).toEqual([
      expect.objectContaining({ refreshed_at: expect.stringMatching(/Z$/), current: false }),
      {
        id: expect.any(String),
        created_at: expect.stringMatching(/Z$/),
        refreshed_at: null,
        user_agent: 'Phone/1',
        ip: null,
        aal: 'aal1',
        current: true,
      },
    ])
    // The column has no time zone: read in the machine's own, it would be hours off.
    expect(Math.abs(Date.parse(sessions[0]?.refreshed_at ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('stores at most 500 characters of the browser’s name', async () => {
    await signUp('busi@example.com')
    const phone = await signIn('busi@example.com', 'x'.repeat(600))

    const { rows } = await auth.database.owner.query(
      'select length(user_agent) as length from auth.sessions where user_agent like $1',
      ['xxx%'],
    )
    expect((await phone.auth.getUser()).error).toBeNull()
    expect(rows).toEqual([{ length: 500 }])
  })

  it('ends a single session of the caller', async () => {
    const here = await signUp('thandi@example.com')
    const phone = await signIn('thandi@example.com', 'Phone/1')
    const other = (await sessionsOf(here)).find(({ current }) => !current)

    const ended = await call(here, 'DELETE', other?.id)

    expect(ended.status).toBe(204)
    expect((await phone.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
    expect(await sessionsOf(here)).toMatchObject([{ current: true }])
  })

  it('refuses, hides and does not refresh a session after its end time', async () => {
    const here = await signUp('nomsa@example.com')
    const phone = await signIn('nomsa@example.com', 'Phone/1')
    const { data } = await phone.auth.getClaims()
    await auth.database.owner.query(
      `update auth.sessions set not_after = now() - interval '1 second' where id = $1`,
      [data?.claims.session_id],
    )

    expect((await call(phone, 'GET')).status).toBe(403)
    expect(await sessionsOf(here)).toMatchObject([{ current: true }])
    expect((await phone.auth.refreshSession()).error?.code).toBe('session_expired')
    expect(await hasSessionEnded(auth.database.owner, data?.claims ?? {})).toBe(true)
  })

  it('accepts a session before its end time', async () => {
    const client = await signUp('lerato@example.com')
    const { data } = await client.auth.getClaims()
    await auth.database.owner.query(
      `update auth.sessions set not_after = now() + interval '1 minute' where id = $1`,
      [data?.claims.session_id],
    )

    expect((await call(client, 'GET')).status).toBe(200)
    expect(await hasSessionEnded(auth.database.owner, data?.claims ?? {})).toBe(false)
    expect((await client.auth.refreshSession()).error).toBeNull()
  })

  it('neither lists nor ends other accounts’ sessions', async () => {
    const [owner, stranger] = [await signUp('pieter@example.com'), await signUp('else@example.com')]
    const [session] = await sessionsOf(owner)

    const ended = await call(stranger, 'DELETE', session?.id)
    const nonsense = await call(stranger, 'DELETE', 'none')

    expect([ended.status, (await ended.json()).error_code]).toEqual([404, 'session_not_found'])
    expect(nonsense.status).toBe(404)
    expect(await sessionsOf(stranger)).toHaveLength(1)
    expect(await sessionsOf(owner)).toHaveLength(1)
  })

  it('refuses to list or end sessions until the caller shows the second factor', async () => {
    const client = await signUp('anele@example.com')
    const { data } = await client.auth.getUser()
    await auth.database.owner.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified', 'x', now(), now())`,
      [data.user?.id],
    )

    const refused = [await call(client, 'GET'), await call(client, 'DELETE', crypto.randomUUID())]

    for (const answer of refused) {
      expect([answer.status, (await answer.json()).error_code]).toEqual([403, 'insufficient_aal'])
    }
  })
})
