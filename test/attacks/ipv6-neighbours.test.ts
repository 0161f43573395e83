import { isLongRun } from '@saltfreak/backend/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'
import { callsFrom } from './from-address.ts'

const MESSAGE = {
  name: 'Sipho',
  email: 'sipho@example.com',
  subject: 'Hooks',
  message: 'Which hooks fit the 150?',
}

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())

it('rate-limits all addresses of one IPv6 /64 network as one caller', async () => {
  const statuses = await sendFrom(Array.from({ length: 65 }, (_, at) => `2001:db8:0:1::${at + 1}`))

  // The bucket drains by one each minute, so a slow run may see one more accepted.
  expect(statuses.filter((status) => status === 429).length).toBeOneOf([4, 5])
})

it('limits an IPv6 /48 network to sixteen times the limit of one /64 network', async () => {
  // Only the long run sends all of them.
  const before = isLongRun ? 0 : 880
  await fillBucket({ bucket: 'visitor', subject: '2001:db8:1::/48', level: before })
  const asked = performance.now()
  const statuses: number[] = []
  for (let network = 0; network < (1000 - before) / 20; network += 1) {
    const addresses = Array.from({ length: 20 }, (_, at) => `2001:db8:1:${network.toString(16)}::${at + 1}`)
    // oxlint-disable-next-line no-await-in-loop -- of all at once, most would wait for the others of the /48 and be refused
    statuses.push(...(await sendFrom(addresses)))
  }
  const minutes = (performance.now() - asked) / 60_000

  const accepted = before + statuses.filter((status) => status === 201).length
  expect(accepted).toBeGreaterThanOrEqual(960)
  // The bucket drains by sixteen each minute.
  expect(accepted).toBeLessThanOrEqual(960 + Math.ceil(16 * minutes))
}, 120_000)

it('rate-limits two IPv6 networks separately', async () => {
  const statuses = await sendFrom(['2001:db8:0:2::1', '2001:db8:0:3::1'])

  expect(statuses).toEqual([201, 201])
})

it('rate-limits an IPv4 address and the same address in IPv6 form as one caller', async () => {
  const addresses = Array.from({ length: 65 }, (_, at) => (at % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'))
  const statuses = await sendFrom(addresses)

  expect(statuses.filter((status) => status === 429).length).toBeOneOf([4, 5])
})

describe('an IPv6 /48 at its limit of wrong promo codes', () => {
  it('returns no promo code results to an IPv6 /48 network at the guess limit', async () => {
    // Leaves one wrong code to the whole /48, whose limit is sixteen times the hundred of one network.
    const filledAt = await fillPromoBucket(1599)
    expect(await askFrom('2001:db8:9:1::1', 'GUESS-1')).toBe(200)
    expect(await promoLevelWithoutDraining(filledAt)).toBe(1600)

    // A little above the limit, because the bucket drains while the next accounts sign up.
    await fillPromoBucket(1610)
    expect(await askFrom('2001:db8:9:2::1', 'GUESS-2')).toBe(429)
    expect(await askFrom('2001:db8:9:3::1', '5OFFFIRST')).toBe(429)
  })

  it('does not rate-limit an IPv6 /48 network for the guesses of another network', async () => {
    expect(await askFrom('2001:db8:a:1::1', 'GUESS-3')).toBe(200)
  })
})

it('does not count a valid secret as a guess of the IPv6 networks', async () => {
  const from = '2001:db8:b:1::1'
  const email = `angler-${crypto.randomUUID()}@example.com`
  await callsFrom(shop, from)('/auth/v1/signup', { body: { email, password: PASSWORD } })
  const { data } = await shop.serviceClient().auth.admin.generateLink({ type: 'recovery', email })
  const body = { type: 'recovery', token_hash: data.properties?.hashed_token }
  const verify = () => callsFrom(shop, from)('/auth/v1/verify', { body })
  const levels = async () => {
    const { rows } = await shop.database.owner.query<{ subject: string; level: number }>(
      `select subject, round(level)::int as level from auth.rate_limits
       where bucket = 'wrong secret' and subject like '2001:db8:b:%' order by subject`,
    )
    return rows.map(({ subject, level }) => [subject, level])
  }

  expect((await verify()).status).toBe(200)
  expect(await levels()).toEqual([
    ['2001:db8:b:1::/64', 0],
    ['2001:db8:b::/48', 0],
  ])
  expect((await verify()).status).toBe(403)
  expect(await levels()).toEqual([
    ['2001:db8:b:1::/64', 1],
    ['2001:db8:b::/48', 1],
  ])
})

const fillPromoBucket = (level: number) =>
  fillBucket({ bucket: 'promo guess', subject: '2001:db8:9::/48', level })

/** Returns the time. */
async function fillBucket(filled: { bucket: string; subject: string; level: number }): Promise<string> {
  const { rows } = await shop.database.owner.query<{ filled_at: string }>(
    `insert into auth.rate_limits (bucket, subject, level) values ($1, $2, $3)
     on conflict on constraint rate_limits_pkey do update set level = excluded.level, updated_at = now()
     returning updated_at::text as filled_at`,
    [filled.bucket, filled.subject, filled.level],
  )
  return rows[0]?.filled_at ?? ''
}

/** The level that the bucket would have if it had not drained since it was filled. */
async function promoLevelWithoutDraining(filledAt: string): Promise<number | undefined> {
  const { rows } = await shop.database.owner.query<{ level: number }>(
    `select round(level + extract(epoch from updated_at - $1::timestamptz) * 1600 / 3600)::int as level
     from auth.rate_limits where bucket = 'promo guess' and subject = '2001:db8:9::/48'`,
    [filledAt],
  )
  return rows[0]?.level
}

/** Checks a promo code with a new account. */
async function askFrom(address: string, code: string): Promise<number> {
  const { client } = await shop.signUp()
  const { data } = await client.auth.getSession()
  const { status } = await callsFrom(shop, address)('/rest/v1/rpc/validate_promo_code', {
    token: data.session?.access_token,
    body: { code_input: code },
  })
  return status
}

function sendFrom(addresses: string[]): Promise<number[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const { status } = await callsFrom(shop, address)('/rest/v1/contact_submissions', { body: MESSAGE })
      return status
    }),
  )
}
