import { afterAll, beforeAll, expect, it } from 'vitest'

import {
  type AttackedAccounts,
  isSignedIn,
  openAttackedAccounts,
  PASSWORD,
  unlimited,
} from './attacked-accounts.ts'

/**
 * The attack: an intruder who has a session of the account, but not its mailbox, moves the account to their own address by
 * confirming from the new mailbox twice.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ limits: unlimited })
})
afterAll(() => accounts.close())

let people = 0

/** An account whose intruder has requested a change to their own address. */
async function aChangeByIntruder() {
  people += 1
  const [email, evil] = [`owner${people}@example.com`, `evil${people}@example.com`]
  const { access } = await accounts.signUp(email)
  await accounts.call('PUT', '/user', { bearer: access, body: { email: evil } })
  return { email, evil, access }
}

const resend = (email: string, bearer?: string) =>
  accounts.call('POST', '/resend', { bearer, body: { type: 'email_change', email } })
const followNewest = (to: string) => accounts.call('POST', accounts.mailTo(to).link ?? '')

async function addressOf(email: string): Promise<unknown> {
  const { body } = await accounts.signIn(email)
  return body.user?.email
}

it('does not change an account’s address when only the new mailbox confirms, even twice', async () => {
  const { email, evil, access } = await aChangeByIntruder()

  const first = await followNewest(evil)
  const sameAgain = await followNewest(evil)
  await resend(email, access)
  const second = await followNewest(evil)
  await accounts.call('PUT', '/user', { bearer: access, body: { email: evil } })
  const third = await followNewest(evil)

  expect([first, sameAgain, second, third].map(isSignedIn)).toEqual([false, false, false, false])
  expect(await addressOf(email)).toBe(email)
})

it('does not accept the typed code of one mailbox for the other mailbox', async () => {
  const { email, evil } = await aChangeByIntruder()
  const verify = (address: string, token: string) =>
    accounts.call('POST', '/verify', { body: { type: 'email_change', email: address, token } })
  const { code } = accounts.mailTo(evil)

  const answers = [await verify(evil, code), await verify(email, code), await verify(evil, code)]

  expect(answers.map(isSignedIn)).toEqual([false, false, false])
  expect(await addressOf(email)).toBe(email)
})

it('resends the links of an address change only to a signed-in session of the account', async () => {
  const { email, access } = await aChangeByIntruder()
  const stranger = await accounts.signUp(`stranger${people}@example.com`)
  accounts.mails.length = 0

  const answers = [
    await resend(email),
    await resend(email, accounts.keys.publishable),
    await resend(email, stranger.access),
  ]

  expect(answers.map(({ status }) => status)).toEqual([401, 403, 200])
  expect(accounts.mails).toEqual([])
  await resend(email, access)
  expect(accounts.mails.map(({ kind }) => kind)).toEqual(['email_change_current', 'email_change_new'])
})

it('returns an account to the owner who recovers the account during an intruder’s address change', async () => {
  const { email, evil } = await aChangeByIntruder()
  await followNewest(evil)
  await accounts.call('POST', '/recover', { body: { email } })
  const { body } = await accounts.call('POST', '/verify', {
    body: { type: 'recovery', email, token: accounts.mailTo(email, 'recovery').code },
  })
  await accounts.call('PUT', '/user', { bearer: body.access_token, body: { password: 'fresh-water-43' } })

  accounts.mails.length = 0
  await resend(email)
  await resend(evil)

  expect(accounts.mails).toEqual([])
  expect((await accounts.signIn(email, PASSWORD)).status).toBe(400)
  expect((await accounts.signIn(email, 'fresh-water-43')).status).toBe(200)
})

it('does not accept an earlier address change’s link for a later change', async () => {
  const { email, evil, access } = await aChangeByIntruder()
  const { link } = accounts.mailTo(evil)
  // This address has an account, so its mailbox gets no link.
  const taken = `taken${people}@example.com`
  await accounts.signUp(taken)
  await accounts.call('PUT', '/user', { bearer: access, body: { email: taken } })
  const old = await followNewest(email)
  await accounts.call('DELETE', `/admin/users/${await idOf(taken)}`, { bearer: accounts.keys.secret })

  const answer = await accounts.call('POST', link ?? '')

  expect([isSignedIn(old), isSignedIn(answer)]).toEqual([false, false])
  expect(await addressOf(email)).toBe(email)
})

async function idOf(email: string): Promise<string> {
  const { rows } = await accounts.database.owner.query<{ id: string }>(
    'select id from auth.users where email = $1',
    [email],
  )
  return rows[0]?.id ?? ''
}

it('changes an account’s address when each mailbox confirms once, in either order', async () => {
  for (const isNewFirst of [true, false]) {
    const { email, evil: wanted } = await aChangeByIntruder()
    const links = [accounts.mailTo(wanted).link, accounts.mailTo(email).link]
    const [first, second] = isNewFirst ? links : links.toReversed()

    const half = await accounts.call('POST', first ?? '')
    const whole = await accounts.call('POST', second ?? '')

    expect([isSignedIn(half), isSignedIn(whole)]).toEqual([false, true])
    expect(await addressOf(wanted)).toBe(wanted)
  }
})

it('mails at most five new addresses an hour for one account across all address changes', async () => {
  const limited = await openAttackedAccounts()
  const { access: bearer } = await limited.signUp('owner@example.com')
  limited.mails.length = 0

  const statuses: number[] = []
  for (let number = 0; number < 7; number += 1) {
    const body = { email: `stranger${number}@example.com` }
    statuses.push((await limited.call('PUT', '/user', { bearer, body })).status)
  }

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(limited.mails.filter(({ kind }) => kind === 'email_change_new')).toHaveLength(5)
  await limited.close()
})
