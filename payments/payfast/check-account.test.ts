import { afterAll, beforeAll, expect, it } from 'vitest'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'
import { checkAccount } from './check-account.ts'

let payfast: FakePayfast
beforeAll(async () => {
  payfast = await fakePayfast()
})
afterAll(() => payfast.close())

it('passes the account check when PayFast rejects an invented notice and accepts the account', async () => {
  payfast.behaviour = 'invalid'

  expect(await checkAccount({ ...payfast.account, mode: 'live' })).toMatchObject([
    { asked: 'Confirming payments', isFine: true },
    { asked: 'Merchant and passphrase', isFine: true },
  ])
})

it('reports a wrong passphrase of the PayFast account', async () => {
  payfast.behaviour = 'invalid'

  const checks = await checkAccount({ ...payfast.account, mode: 'live', passphrase: 'not-ours' })

  expect(checks.at(-1)).toEqual({
    asked: 'Merchant and passphrase',
    isFine: false,
    answer: 'PayFast refused them (status 401).',
  })
})

it.each(['outage', 'connection lost', 'valid'] as const)(
  'fails the account check when PayFast’s answer is %s',
  async (behaviour) => {
    payfast.behaviour = behaviour

    expect(await checkAccount(payfast.account)).toMatchObject([{ isFine: false }])
  },
)
