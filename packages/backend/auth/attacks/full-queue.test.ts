import { afterAll, beforeAll, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts, PASSWORD } from './attacked-accounts.ts'

/** The attack: fill the queue of delayed sign-ins, which the whole process shares, with guesses for made-up accounts. */
let accounts: AttackedAccounts
beforeAll(async () => {
  // No delayed attempt leaves the queue during the test.
  accounts = await openAttackedAccounts({
    limits: { passwordsPerAccount: { tries: 1, periodSeconds: 100_000 } },
  })
})
afterAll(() => accounts.close())

const signIn = (email: string, from: string) =>
  accounts.call('POST', '/token?grant_type=password', { from, body: { email, password: PASSWORD } })

it('signs in a customer on a new network while the queue of delayed sign-ins is full', async () => {
  await accounts.signUp('owner@example.com')
  const statuses: number[] = []
  const { promise: isFull, resolve: announceFull } = Promise.withResolvers<void>()
  const guess = async (at: number) => {
    statuses.push((await signIn(`guest${at % 11}@example.com`, `198.51.100.${at}`)).status)
    if (statuses.length === 13) announceFull()
  }

  // Of three attempts on each account, one is checked and two are delayed, until twenty of them wait.
  for (let at = 0; at < 33; at += 1) void guess(at)
  await isFull

  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(11).fill(400), 429, 429])
  expect((await signIn('owner@example.com', '203.0.113.9')).status).toBe(200)
})
