import { afterAll, beforeAll, expect, it } from 'vitest'

import { hasProvenMailbox } from '#backend/auth/mailbox/mailbox-proof.ts'
import { type AttackedAccounts, openAttackedAccounts, PASSWORD, unlimited } from './attacked-accounts.ts'

/**
 * The attack: sign up with a stranger's address and request a change of address. The shop mails the stranger a confirmation link;
 * following it must not verify the attacker's account for the stranger's address.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ limits: unlimited })
})
afterAll(() => accounts.close())

async function idOf(email: string): Promise<string> {
  const { rows } = await accounts.database.owner.query<{ id: string }>(
    'select id from auth.users where email = $1',
    [email],
  )
  return rows[0]?.id ?? ''
}

it('does not verify a stranger’s account when the mailbox owner confirms an address change', async () => {
  const { access } = await accounts.signUp('victim@example.com')
  await accounts.call('PUT', '/user', { bearer: access, body: { email: 'evil@example.com' } })

  await accounts.call('POST', accounts.mailTo('victim@example.com', 'email_change_current').link ?? '')

  expect(await hasProvenMailbox(accounts.database.owner, await idOf('victim@example.com'))).toBe(false)
})

it('replaces an account that a stranger registered when the mailbox owner recovers the account', async () => {
  const { access } = await accounts.signUp('second@example.com')
  await accounts.call('PUT', '/user', { bearer: access, body: { email: 'evil2@example.com' } })
  await accounts.call('POST', accounts.mailTo('second@example.com', 'email_change_current').link ?? '')
  await accounts.call('POST', '/recover', { body: { email: 'second@example.com' } })

  await accounts.call('POST', accounts.mailTo('second@example.com', 'recovery').link ?? '')

  expect((await accounts.signIn('second@example.com', PASSWORD)).body.error_code).toBe('invalid_credentials')
  expect((await accounts.call('GET', '/user', { bearer: access })).status).toBe(403)
})

it('changes an unverified account’s address once both mailboxes confirm', async () => {
  const { access } = await accounts.signUp('third@example.com')
  await accounts.call('PUT', '/user', { bearer: access, body: { email: 'moved@example.com' } })

  await accounts.call('POST', accounts.mailTo('third@example.com', 'email_change_current').link ?? '')
  await accounts.call('POST', accounts.mailTo('moved@example.com', 'email_change_new').link ?? '')

  expect((await accounts.signIn('moved@example.com')).status).toBe(200)
  expect(await hasProvenMailbox(accounts.database.owner, await idOf('moved@example.com'))).toBe(true)
})
