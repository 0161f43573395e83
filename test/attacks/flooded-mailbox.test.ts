import { afterEach, expect, it } from 'vitest'

import { type AttackedAccounts, openAttackedAccounts } from './attacked-accounts.ts'

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
