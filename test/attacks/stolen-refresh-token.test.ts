import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, PASSWORD, type Person, type TestShop } from '#test/shop.ts'

/**
 * The attack: a thief copies a refresh token and uses it. The owner's later refresh reveals the reuse, and the service ends the
 * session. The thief's access token must become invalid with it.
 */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

async function refresh(token: string) {
  const answer = await shop.fetch('/auth/v1/token?grant_type=refresh_token', {
    method: 'POST',
    headers: { apikey: shop.keys.publishable },
    body: JSON.stringify({ refresh_token: token }),
  })
  return { status: answer.status, body: await answer.json() }
}

function callsWith(token: string) {
  const headers = {
    apikey: shop.keys.publishable,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  return async (path: string, body?: object) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await shop.fetch(path, { headers, ...init })
    return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') }
  }
}

/** The thief refreshes twice; the owner uses the copied token after the grace interval. */
async function aNoticedTheft({ client, userId }: Person) {
  const { data } = await client.auth.getSession()
  const owned = data.session?.refresh_token ?? ''
  const first = await refresh(owned)
  const second = await refresh(first.body.refresh_token)
  const thief = callsWith(second.body.access_token)
  await shop.database.owner.query(
    `update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where user_id = $1`,
    [userId],
  )
  return { thief, showOwned: () => refresh(owned), showStolen: () => refresh(second.body.refresh_token) }
}

it('rejects a thief’s customer tokens once the shop notices a stolen refresh token', async () => {
  const person = await shop.signUp()
  const { thief, showOwned, showStolen } = await aNoticedTheft(person)
  const profile = `/rest/v1/profiles?select=email&id=eq.${person.userId}`
  expect((await thief(profile)).body).toHaveLength(1)

  expect((await showOwned()).body).toMatchObject({ error_code: 'refresh_token_already_used' })

  expect((await thief(profile)).body).toEqual([])
  expect((await thief('/rest/v1/rpc/export_my_data', {})).body).toMatchObject({ details: 'not_signed_in' })
  expect((await thief('/auth/v1/user')).body).toMatchObject({ error_code: 'session_not_found' })
  expect((await showStolen()).status).toBe(400)
})

it('rejects a thief’s admin tokens once the shop notices a stolen refresh token', async () => {
  const { thief, showOwned } = await aNoticedTheft(await shop.admin())
  expect((await thief('/rest/v1/rpc/total_revenue', {})).status).toBe(200)
  expect((await thief('/functions/v1/show-settings', {})).status).toBe(200)

  await showOwned()

  expect((await thief('/rest/v1/rpc/total_revenue', {})).status).toBe(403)
  expect((await thief('/functions/v1/show-settings', {})).status).toBe(403)
})

it('does not end the account’s other sessions when a refresh token is stolen', async () => {
  const person = await shop.signUp()
  const other = shop.client()
  await other.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  const { showOwned } = await aNoticedTheft(person)

  await showOwned()

  expect((await other.from('profiles').select('email').eq('id', person.userId)).data).toHaveLength(1)
  expect((await other.auth.refreshSession()).error).toBeNull()
})
