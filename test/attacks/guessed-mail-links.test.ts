import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
import { callsFrom, countStatuses } from './from-address.ts'

/** The attack: guess the links to unsubscribe or confirm, to change the consent of strangers. */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())

const GUESSES = 90
const post = { method: 'POST' }
const guess = () => randomBytes(32).toString('hex')

async function guessAll(path: string, from: string): Promise<Response[]> {
  const call = callsFrom(shop, from)
  return Promise.all(Array.from({ length: GUESSES }, () => call(`/mail/${path}/${guess()}`, post)))
}

/** The link to unsubscribe in the mails of a new subscriber. */
async function aLink(): Promise<string> {
  const email = `reader-${crypto.randomUUID()}@example.com`
  const { rows } = await shop.database.owner.query<{ secret: string }>(
    `with signup as (insert into public.newsletter_signups (email) values ($1) returning id)
     select id::text as secret from signup`,
    [email],
  )
  await shop.database.owner.query(
    `insert into private.newsletter_links (signup_id, honours_id) values ($1, true)
     on conflict (signup_id) do update set honours_id = true`,
    [rows[0]?.secret],
  )
  return `/mail/unsubscribe/${rows[0]?.secret}`
}

describe('links in mails about news and stock alerts', () => {
  it('rejects further guesses at mailed links from an address after sixty wrong links', async () => {
    for (const [at, path] of ['unsubscribe', 'confirm', 'stock-alerts'].entries()) {
      const answers = await guessAll(path, `198.51.100.${at + 1}`)

      expect({ path, ...countStatuses(answers) }).toEqual({ path, 404: 60, 429: GUESSES - 60 })
    }
  })

  it('counts guesses at all types of mailed links together, and IPv6 addresses by /64 network', async () => {
    await guessAll('confirm', '2001:db8:1:2::1')

    const answer = await callsFrom(shop, '2001:db8:1:2::ffff')(`/mail/unsubscribe/${guess()}`, post)

    expect(answer.status).toBe(429)
  })

  it('explains the guess limit on a page, while a mailed link works from another network', async () => {
    const link = await aLink()
    await guessAll('unsubscribe', '198.51.100.10')

    const refused = await callsFrom(shop, '198.51.100.10')(link, post)
    const fromOtherNetwork = await callsFrom(shop, '198.51.100.11')(link, post)

    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
    expect(await refused.text()).toContain('Please wait a few minutes')
    expect(fromOtherNetwork.status).toBe(200)
  })

  it('does not count valid mailed links as guesses', async () => {
    const link = await aLink()
    const call = callsFrom(shop, '198.51.100.12')
    for (let time = 0; time < 70; time += 1) {
      // oxlint-disable-next-line no-await-in-loop -- mail programs open the link one after the other
      expect((await call(link, post)).status).toBe(200)
    }
  })
})
