import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type AttackResponse,
  type AttackedAccounts,
  isSignedIn,
  openAttackedAccounts,
  secretIn,
} from './attacked-accounts.ts'

/**
 * The attack: request a recovery mail for another person's account, then guess the link or the six digits in it, without
 * reading the mail.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts()
})
afterAll(() => accounts.close())

const GUESSES = 150
let people = 0

/** An account whose recovery mail the attacker has just requested. */
async function anAttackedAccount() {
  people += 1
  const email = `victim${people}@example.com`
  await accounts.signUp(email)
  await accounts.call('POST', '/recover', { body: { email } })
  return { email, mail: accounts.mailTo(email, 'recovery') }
}

/** A new network address for each attack. */
function attacker(): string {
  people += 1
  return `198.51.100.${people}`
}

/** A link that is derived from the address and the six digits, of which there are a million. */
function derivedLink(email: string, digits: number): string {
  return createHash('sha224')
    .update(`${email}${String(digits).padStart(6, '0')}`)
    .digest('hex')
}

async function guessAll(guess: (number: number) => Promise<AttackResponse>): Promise<AttackResponse[]> {
  const answers: AttackResponse[] = []
  for (let number = 0; number < GUESSES; number += 1) answers.push(await guess(number))
  return answers
}

function statusesOf(answers: AttackResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('a mailed link', () => {
  it('puts 256 random bits into a mailed link and stores only a hash', async () => {
    const { mail } = await anAttackedAccount()

    const secret = secretIn(mail)
    const { rows } = await accounts.database.owner.query(
      'select t.*, c.* from auth.one_time_tokens t left join auth.mailed_codes c on c.token_id = t.id',
    )

    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows)).not.toContain(secret)
    for (const { code_hash: hash } of rows) {
      const plain = [mail.code, `${mail.to}${mail.code}`, `${mail.to}:${mail.code}`]
      expect(plain.map((text) => createHash('sha256').update(text).digest('hex'))).not.toContain(hash)
    }
  })

  it('does not derive a mailed link from the address and the typed code', async () => {
    const { email, mail } = await anAttackedAccount()

    const answer = await accounts.call(
      'GET',
      `/verify?type=recovery&token=${derivedLink(email, Number(mail.code))}`,
    )

    expect(isSignedIn(answer)).toBe(false)
  })

  it('rejects guesses at mailed links with status 429 after sixty guesses', async () => {
    const { email, mail } = await anAttackedAccount()
    const first = Number(mail.code) - GUESSES + 1
    const guessedAt = {
      'GET /verify': (token: string, from: string) =>
        accounts.call('GET', `/verify?type=recovery&token=${token}`, { from }),
      'POST /confirm': (token: string, from: string) =>
        accounts.call('POST', `/confirm?type=recovery&token=${token}`, { from }),
      'POST /verify': (token: string, from: string) =>
        accounts.call('POST', '/verify', { body: { type: 'recovery', token_hash: token }, from }),
      'POST /token?grant_type=pkce': (token: string, from: string) =>
        accounts.call('POST', '/token?grant_type=pkce', {
          body: { auth_code: token, code_verifier: 'x'.repeat(43) },
          from,
        }),
    }

    for (const [endpoint, guess] of Object.entries(guessedAt)) {
      const from = attacker()
      const answers = await guessAll((number) => guess(derivedLink(email, first + number), from))

      expect({ endpoint, hits: answers.filter(isSignedIn).length }).toEqual({ endpoint, hits: 0 })
      expect({ endpoint, refused: statusesOf(answers)[429] }).toEqual({ endpoint, refused: GUESSES - 60 })
    }
  })

  it('still counts a network’s wrong guesses after a right one', async () => {
    const { mail } = await anAttackedAccount()
    const from = attacker()
    await accounts.database.owner.query(
      `insert into auth.rate_limits (bucket, subject, level) values ('wrong secret', $1, 58)`,
      [from],
    )
    const guess = () => accounts.call('GET', '/verify?type=recovery&token=wrong', { from })

    expect(isSignedIn(await accounts.call('POST', mail.link ?? '', { from }))).toBe(true)
    const statuses = [(await guess()).status, (await guess()).status, (await guess()).status]

    expect(statuses.map((status) => status === 429)).toEqual([false, false, true])
  })

  it('explains the guess limit on a page, while the mailed link works from another network', async () => {
    const { mail } = await anAttackedAccount()
    const from = attacker()
    await guessAll(() => accounts.call('GET', '/verify?type=recovery&token=wrong', { from }))
    const link = mail.link ?? ''

    const refused = await accounts.call('POST', link, { from })
    const fromOtherNetwork = await accounts.call('POST', link, { from: attacker() })

    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
    expect(refused.text).toContain('Please wait a few minutes')
    expect(isSignedIn(fromOtherNetwork)).toBe(true)
  })

  it('rejects a mailed link’s secret as a typed code, and a typed code as a link’s secret', async () => {
    const { email, mail } = await anAttackedAccount()

    const asCode = await accounts.call('POST', '/verify', {
      body: { type: 'recovery', email, token: secretIn(mail) },
    })
    const asLink = await accounts.call('GET', `/verify?type=recovery&token=${mail.code}`)

    expect([isSignedIn(asCode), isSignedIn(asLink)]).toEqual([false, false])
  })
})

const typed = (email: string, token: string, from?: string) =>
  accounts.call('POST', '/verify', { body: { type: 'recovery', email, token }, from })
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

describe('a typed code', () => {
  it('invalidates a typed code after five wrong guesses, while the link in the same mail works', async () => {
    const { email, mail } = await anAttackedAccount()
    for (let guess = 0; guess < 5; guess += 1) await typed(email, wrong(mail.code), attacker())

    const right = await typed(email, mail.code)
    const link = await accounts.call('POST', mail.link ?? '')

    expect(right).toMatchObject({ status: 403, body: { error_code: 'otp_expired' } })
    expect(isSignedIn(link)).toBe(true)
  })

  it('counts every concurrent guess at a typed code', async () => {
    const { email, mail } = await anAttackedAccount()
    await Promise.all(Array.from({ length: 12 }, () => typed(email, wrong(mail.code), attacker())))

    expect((await typed(email, mail.code)).status).toBe(403)
  })

  it('rejects typed codes for an account that many networks attack with guesses', async () => {
    const { email, mail } = await anAttackedAccount()

    const answers = await guessAll(() => typed(email, wrong(mail.code), attacker()))

    expect(statusesOf(answers)[429]).toBeGreaterThanOrEqual(GUESSES - 25)
    expect(answers.at(-1)?.body).toMatchObject({ code: 429, error_code: 'over_request_rate_limit' })
  })

  it('returns the same response to wrong codes for addresses with and without an account', async () => {
    const { email, mail } = await anAttackedAccount()

    const known = await typed(email, wrong(mail.code))
    const unknown = await typed('stranger@example.com', '123456')

    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
  })
})
