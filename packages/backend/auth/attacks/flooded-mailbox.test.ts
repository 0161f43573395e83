import { afterEach, expect, it } from 'vitest'

import { isLongRun } from '#backend/testing/property-runs.ts'
import { type AttackedAccounts, openAttackedAccounts, secretIn } from './attacked-accounts.ts'

const VICTIM = 'victim@example.com'

let accounts: AttackedAccounts | undefined
afterEach(() => accounts?.close())

/** Requests mails as a script would; moves the clock of the limits instead of waiting. */
async function askOften(
  there: AttackedAccounts,
  email: string,
  { times, everyMinutes }: { times: number; everyMinutes: number },
): Promise<string[]> {
  const answers = []
  for (let time = 0; time < times; time += 1) {
    const body = time % 2 ? { email, type: 'signup' } : { email }
    const { status, text } = await there.call('POST', time % 2 ? '/resend' : '/recover', { body })
    answers.push(`${status} ${text.replace(/\d+ seconds/, 'some seconds')}`)
    await there.database.owner.query(
      'update auth.rate_limits set updated_at = updated_at - make_interval(mins => $1)',
      [everyMinutes],
    )
  }
  return answers
}

const halfAnHour = { times: 30, everyMinutes: 1 }

it('sends one address at most fifteen mails a day, even if a stranger requests mails all day', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUp(VICTIM)

  // The limits of an hour and of half a day leave no try unused between these.
  const everyMinutes = isLongRun ? 5 : 15
  await askOften(there, VICTIM, { times: (24 * 60) / everyMinutes, everyMinutes })

  expect(there.mails.length).toBeGreaterThan(9)
  expect(there.mails.length).toBeLessThan(16)
})

it('returns the same response to mail requests for addresses with and without an account', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUp(VICTIM)

  const known = await askOften(there, VICTIM, halfAnHour)
  const unknown = await askOften(there, 'nobody@example.com', halfAnHour)

  expect(known).toEqual(unknown)
  expect(new Set(known.map((answer) => answer.slice(0, 3)))).toEqual(new Set(['200', '429']))
})

it('says in how many seconds the next mail can be sent', async () => {
  const there = await openAttackedAccounts({
    limits: { mailsPerAccount: { tries: 1, periodSeconds: 86_400 } },
  })
  accounts = there
  const ask = () => there.call('POST', '/recover', { body: { email: VICTIM } })
  await ask()

  const seconds = Number(/(\d+) seconds/.exec((await ask()).text)?.[1])

  expect(seconds).toBeGreaterThan(43_200)
  expect(seconds).toBeLessThanOrEqual(86_400)
})

it('mails the owner a recovery link, even if a stranger requests confirmation mails every minute', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUpVerified(VICTIM)
  await repeat(there, () => there.call('POST', '/resend', { body: { email: VICTIM, type: 'signup' } }))

  const asked = await there.call('POST', '/recover', { body: { email: VICTIM } })

  expect(asked.status).toBe(200)
  expect(there.mails.map(({ kind }) => kind)).toEqual(['recovery'])
})

it('mails the owner a recovery link, even if a thief requests codes every minute in a stolen session', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  const { access: bearer } = await there.signUpVerified(VICTIM)
  await repeat(there, () => there.call('GET', '/reauthenticate', { bearer }))

  const asked = await there.call('POST', '/recover', { body: { email: VICTIM } })

  expect(asked.status).toBe(200)
  expect(there.mailTo(VICTIM).kind).toBe('recovery')
})

it('keeps the last mailed link valid when a stranger exceeds the mail limit', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  await there.signUp(VICTIM)
  await askOften(there, VICTIM, { times: 40, everyMinutes: 1 })

  const body = { type: 'recovery', token_hash: secretIn(there.mailTo(VICTIM, 'recovery')) }

  expect((await there.call('POST', '/verify', { body })).status).toBe(200)
})

it('mails a stolen session at most fifteen codes a day, even if a thief requests one every quarter of an hour', async () => {
  const there = await openAttackedAccounts()
  accounts = there
  const { access: bearer } = await there.signUpVerified(VICTIM)

  for (let quarter = 0; quarter < 24 * 4; quarter += 1) {
    await there.call('GET', '/reauthenticate', { bearer })
    await there.database.owner.query(
      "update auth.rate_limits set updated_at = updated_at - interval '15 minutes'",
    )
  }

  expect(there.mails.length).toBeGreaterThan(9)
  expect(there.mails.length).toBeLessThan(16)
})

/** Repeats a request once a minute for half an hour; moves the clock of the limits instead of waiting. */
async function repeat({ database }: AttackedAccounts, ask: () => Promise<unknown>): Promise<void> {
  for (let minute = 0; minute < 30; minute += 1) {
    await database.owner.query("update auth.rate_limits set updated_at = updated_at - interval '1 minute'")
    await ask()
  }
}
