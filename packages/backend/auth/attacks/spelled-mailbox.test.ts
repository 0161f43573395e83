import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts } from './attacked-accounts.ts'

/**
 * The attack: avoid limits that count mails by address, because one mailbox has thousands of addresses: with a +tag, and at
 * Gmail with dots anywhere.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts()
})
afterAll(() => accounts.close())

const TWENTY = Array.from({ length: 20 }, (_, at) => at)

function spellings(name: string): string[] {
  return TWENTY.map((at) =>
    at % 2 ? `${name}+${at}@gmail.com` : `${name.slice(0, 2)}.${name.slice(2)}+${at}@googlemail.com`,
  )
}

describe('auth.mailbox_of', () => {
  it.each([
    ['Victim+shop@Example.com', 'victim@example.com'],
    ['victim+a+b@example.com', 'victim@example.com'],
    ['v.i.c.tim+a@googlemail.com', 'victim@gmail.com'],
    // Dots are significant at other providers, and a name may begin with a plus.
    ['v.ictim@example.com', 'v.ictim@example.com'],
    ['+a+b@example.com', '+a@example.com'],
    ['no address', 'no address'],
  ])('maps the address %s to the mailbox %s', async (address, mailbox) => {
    const { rows } = await accounts.database.owner.query('select auth.mailbox_of($1) as mailbox', [address])
    expect(rows).toEqual([{ mailbox }])
  })
})

it('applies the mail limit of one address to all spellings of a mailbox together', async () => {
  for (const email of spellings('account')) await accounts.signUp(email)
  const before = accounts.mails.length

  for (const email of spellings('account')) await accounts.call('POST', '/recover', { body: { email } })

  expect(accounts.mails.length - before).toBeLessThan(2)
  expect(accounts.mails.length).toBeGreaterThan(0)
})
