import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { totpCode } from '@saltfreak/backend/testing'
import { openShop, PASSWORD, type Person, type TestShop } from '#test/shop.ts'

/**
 * The attack: a thief has the password and one of the owner's two factors, for instance a phone, and is signed in with both.
 * The owner removes that factor, which ends the thief's session. The thief's token still claims aal2 for up to an hour, and the services
 * accept a token that they have seen for a minute.
 */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

interface App {
  id: string
  secret: string
}

async function enrol(client: SupabaseClient, friendlyName: string): Promise<App> {
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (!data) throw new Error('not enrolled')
  return { id: data.id, secret: data.totp.secret }
}

/** Clears the used code first, as if half a minute had passed. */
async function show(client: SupabaseClient, { id, secret }: App): Promise<void> {
  await shop.database.owner.query('delete from auth.totp_uses')
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(secret) })
  if (error) throw error
}

async function signIn(email: string): Promise<SupabaseClient> {
  const client = shop.client()
  await client.auth.signInWithPassword({ email, password: PASSWORD })
  return client
}

/** Sends the thief's copy of the token directly, because the client would refresh it. */
async function callsWith(client: SupabaseClient) {
  const { data } = await client.auth.getSession()
  const headers = {
    apikey: shop.keys.publishable,
    authorization: `Bearer ${data.session?.access_token}`,
    'content-type': 'application/json',
  }
  return async (path: string, body?: object) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await shop.fetch(path, { headers, ...init })
    return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') }
  }
}

/** An owner with two factors, signed in with the remaining one, and a thief signed in with the other. */
async function aRobbedOwner({ client: owner, email, userId }: Person) {
  const stolen = await enrol(owner, 'phone')
  await show(owner, stolen)
  const kept = await enrol(owner, 'tablet')
  await show(owner, kept)
  const thief = await signIn(email)
  await show(thief, stolen)
  return { owner, email, userId, stolen, thief: await callsWith(thief) }
}

type Robbed = Awaited<ReturnType<typeof aRobbedOwner>>

const removals: Record<string, (robbed: Robbed) => Promise<unknown>> = {
  'by the owner': ({ owner, stolen }) => owner.auth.mfa.unenroll({ factorId: stolen.id }),
  async 'by the owner, signed in with a recovery code'({ owner, email, stolen }) {
    const made = await (await callsWith(owner))('/auth/v1/factors/recovery-codes', {})
    const recovering = await signIn(email)
    const [code] = made.body.codes
    const raised = await (await callsWith(recovering))('/auth/v1/factors/recovery-codes/verify', { code })
    await recovering.auth.setSession(raised.body)
    return recovering.auth.mfa.unenroll({ factorId: stolen.id })
  },
  'by an admin': ({ userId, stolen }) =>
    shop.serviceClient().auth.admin.mfa.deleteFactor({ userId, id: stolen.id }),
}

describe.each(Object.entries(removals))('when a factor is removed %s', (_, remove) => {
  it('denies customer rows and functions to a session whose second factor was removed', async () => {
    const robbed = await aRobbedOwner(await shop.signUp())
    const profile = `/rest/v1/profiles?select=email&id=eq.${robbed.userId}`
    expect((await robbed.thief(profile)).body).toHaveLength(1)

    await remove(robbed)

    expect((await robbed.thief(profile)).body).toEqual([])
    expect((await robbed.thief('/rest/v1/rpc/export_my_data', {})).status).toBe(401)
    expect((await robbed.thief('/rest/v1/rpc/quote_cart', {})).status).toBe(401)
    expect((await (await callsWith(robbed.owner))(profile)).body).toHaveLength(1)
  })

  it('denies admin rights to a session whose second factor was removed', async () => {
    const robbed = await aRobbedOwner(await shop.admin())
    expect((await robbed.thief('/rest/v1/rpc/total_revenue', {})).status).toBe(200)
    expect((await robbed.thief('/functions/v1/show-settings', {})).status).toBe(200)

    await remove(robbed)

    expect((await robbed.thief('/rest/v1/rpc/total_revenue', {})).status).toBe(403)
    expect((await robbed.thief('/functions/v1/show-settings', {})).status).toBe(403)
    expect((await robbed.thief('/rest/v1/promo_codes?select=code')).body).toEqual([])
  })
})

it('denies admin rights to all sessions of an admin whose last required second factor is removed', async () => {
  const { client, email, userId } = await shop.admin()
  const app = await enrol(client, 'phone')
  await show(client, app)
  const required = await client
    .from('shop_settings')
    .update({ requires_second_factor: true })
    .eq('id', 'shop')
    .select()
  expect(required.data).toMatchObject([{ requires_second_factor: true }])
  const otherSession = await signIn(email)
  await show(otherSession, app)
  const call = await callsWith(otherSession)
  expect((await call('/rest/v1/rpc/total_revenue', {})).status).toBe(200)

  await shop.serviceClient().auth.admin.mfa.deleteFactor({ userId, id: app.id })

  expect((await call('/rest/v1/rpc/total_revenue', {})).status).toBe(403)
  expect((await call('/rest/v1/rpc/must_add_second_factor', {})).body).toBe(true)
  await shop.database.owner.query('update public.shop_settings set requires_second_factor = false')
})

it('does not let a token issued before the second factor read data that requires the factor', async () => {
  const { client, userId } = await shop.signUp()
  const before = await callsWith(client)
  await show(client, await enrol(client, 'phone'))

  expect((await before(`/rest/v1/profiles?select=email&id=eq.${userId}`)).body).toEqual([])
})
