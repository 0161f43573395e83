import { afterEach, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts, secretIn } from './attacked-accounts.ts'

const VICTIM = 'victim@example.com'

let accounts: AttackedAccounts | undefined
afterEach(() => accounts?.close())

/** Asks for a mail every minute, as a script does; the clock of the limits is moved back instead of waiting. */
async function askEachMinute(there: AttackedAccounts, email: string, minutes: number): Promise<string[]> {
  const answers = []
  for (let minute = 0; minute < minutes; minute += 1) {
    const body = minute % 2 ? { email, type: 'signup' } : { email }
    const { status, text } = await there.call('POST', minute % 2 ? '/resend' : '/recover', { body })
    answers.push(`${status} ${text.replace(/\d+ seconds/, 'some seconds')}`)
    await there.database.owner.query(
      "update auth.rate_limits set updated_at = updated_at - interval '1 minute'",
    )
  }
  return answers
}

it('mails one address at most fifteen times on the first day, although a stranger asks every minute', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUp(VICTIM)

  await askEachMinute(there, VICTIM, 24 * 60)

  expect(there.mails.length).toBeGreaterThan(9)
  expect(there.mails.length).toBeLessThan(16)
}, 120_000)

it('answers for an address without an account as for one that has an account', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUp(VICTIM)

  const known = await askEachMinute(there, VICTIM, 30)
  const unknown = await askEachMinute(there, 'nobody@example.com', 30)

  expect(known).toEqual(unknown)
  expect(new Set(known.map((answer) => answer.slice(0, 3)))).toEqual(new Set(['200', '429']))
})

it('mails the owner a link to recover, although a stranger asks every minute for a confirmation that is never sent', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUpVerified(VICTIM)
  await repeat(there, () => there.call('POST', '/resend', { body: { email: VICTIM, type: 'signup' } }))

  const asked = await there.call('POST', '/recover', { body: { email: VICTIM } })

  expect(asked.status).toBe(200)
  expect(there.mails.map(({ kind }) => kind)).toEqual(['recovery'])
}, 60_000)

it('mails the owner a link to recover, although a thief asks every minute for codes in a stolen session', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  const { access: bearer } = await there.signUpVerified(VICTIM)
  await repeat(there, () => there.call('GET', '/reauthenticate', { bearer }))

  const asked = await there.call('POST', '/recover', { body: { email: VICTIM } })

  expect(asked.status).toBe(200)
  expect(there.mailTo(VICTIM).kind).toBe('recovery')
}, 60_000)

it('keeps the last mailed link good when a stranger asks for more mails than one mailbox is sent', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUp(VICTIM)
  await askEachMinute(there, VICTIM, 40)

  const body = { type: 'recovery', token_hash: secretIn(there.mailTo(VICTIM, 'recovery')) }

  expect((await there.call('POST', '/verify', { body })).status).toBe(200)
}, 60_000)

/** Asks once a minute for half an hour; the clock of the limits is moved back instead of waiting. */
async function repeat({ database }: AttackedAccounts, ask: () => Promise<unknown>): Promise<void> {
  for (let minute = 0; minute < 30; minute += 1) {
    await database.owner.query("update auth.rate_limits set updated_at = updated_at - interval '1 minute'")
    await ask()
  }
}
