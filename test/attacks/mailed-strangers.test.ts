import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
import { callsFrom, countStatuses } from './from-address.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())

it('sends no mail and creates no account for a stranger through /otp and /magiclink', async () => {
  const call = callsFrom(shop, '192.0.2.1')
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      call(`/auth/v1/${at % 2 ? 'otp' : 'magiclink'}`, { body: { email: `stranger-${at}@example.com` } }),
    ),
  )

  expect(countStatuses(answers)).toEqual({ 422: 40 })
  expect(await answers[0]?.json()).toMatchObject({ error_code: 'otp_disabled' })
  expect(await countStrangers()).toEqual({ accounts: 0, mails: 0 })
})

it('lets a stranger sign up after another person requested a code for the address', async () => {
  await callsFrom(shop, '192.0.2.1')('/auth/v1/otp', { body: { email: 'victim@example.com' } })

  const { error } = await shop
    .client()
    .auth.signUp({ email: 'victim@example.com', password: 'Correct-Horse-7' })

  expect(error).toBeNull()
})

it('does not reveal through /otp whether an address has an account', async () => {
  const { email } = await shop.signUp()
  const call = callsFrom(shop, '192.0.2.11')
  const ask = async (address: string) =>
    (await call('/auth/v1/otp', { body: { email: address, create_user: false } })).text()

  expect(await ask(email)).toBe(await ask('stranger-without-account@example.com'))
})

it('serves /otp and /magiclink when a setting enables them', async () => {
  const open = await openShop({ mailSignIn: true })
  const { error } = await open.client().auth.signInWithOtp({ email: 'known@example.com' })
  await open.close()

  expect(error).toBeNull()
})

async function countStrangers() {
  const { rows } = await shop.database.owner.query(
    `select (select count(*)::int from auth.users where email like 'stranger-%') as accounts,
       (select count(*)::int from public.mails where recipient like 'stranger-%') as mails`,
  )
  return rows[0]
}
