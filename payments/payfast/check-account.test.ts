import { afterAll, beforeAll, expect, it } from 'vitest'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'
import { checkAccount } from './check-account.ts'

let payfast: FakePayfast
beforeAll(async () => {
  payfast = await fakePayfast()
})
afterAll(() => payfast.close())

it('is content when PayFast calls invalid what it never sent, and knows the account', async () => {
  payfast.mood = 'invalid'

  expect(await checkAccount({ ...payfast.account, mode: 'live' })).toMatchObject([
    { asked: 'Confirming payments', isFine: true },
    { asked: 'Merchant and passphrase', isFine: true },
  ])
})

it('tells of a wrong passphrase', async () => {
  payfast.mood = 'invalid'

  const checks = await checkAccount({ ...payfast.account, mode: 'live', passphrase: 'not-ours' })

  expect(checks.at(-1)).toEqual({
    asked: 'Merchant and passphrase',
    isFine: false,
    answer: 'PayFast refused them (status 401).',
  })
})

it.each(['outage', 'hangs up', 'valid'] as const)('is not content with %s', async (mood) => {
  payfast.mood = mood

  expect(await checkAccount(payfast.account)).toMatchObject([{ isFine: false }])
})
