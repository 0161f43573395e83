import { afterAll, beforeAll, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts } from './attacked-accounts.ts'

/** The attack: exhaust the refreshes of a mobile network, whose customers share an address, by repeating those of one's own session. */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({
    limits: {
      refreshesPerSession: { tries: 2, periodSeconds: 100_000 },
      refreshesPerAddress: { tries: 3, periodSeconds: 100_000 },
    },
  })
})
afterAll(() => accounts.close())

it('refreshes the sessions of a network after one of its sessions has used up its own refreshes', async () => {
  const attacker = await accounts.signUp('attacker@example.com')
  const customer = await accounts.signUp('customer@example.com')
  const refresh = async (token: string) => {
    const body = { refresh_token: token }
    return (await accounts.call('POST', '/token?grant_type=refresh_token', { body })).status
  }

  expect([await refresh(attacker.refresh), await refresh(attacker.refresh)]).toEqual([200, 200])
  expect([await refresh(attacker.refresh), await refresh(attacker.refresh)]).toEqual([429, 429])
  expect(await refresh(customer.refresh)).toBe(200)
})
