import { afterAll, beforeAll, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts } from './attacked-accounts.ts'

/** The attack: exhaust the refreshes of a mobile network, whose customers share an address, with made-up tokens. */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({
    limits: { refreshesPerAddress: { tries: 2, periodSeconds: 100_000 } },
  })
})
afterAll(() => accounts.close())

const refresh = async (token: string) => {
  const body = { refresh_token: token }
  return (await accounts.call('POST', '/token?grant_type=refresh_token', { body })).status
}

it('refreshes sessions of a network whose unknown refresh tokens are refused', async () => {
  const { refresh: token } = await accounts.signUp('customer@example.com')

  expect([await refresh('unknown'), await refresh('unknown'), await refresh('unknown')]).toEqual([
    400, 400, 429,
  ])
  expect([await refresh(token), await refresh(token), await refresh(token)]).toEqual([200, 200, 429])
})
