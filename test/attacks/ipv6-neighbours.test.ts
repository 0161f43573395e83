import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
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

it('counts all addresses of one IPv6 /64 as one caller', async () => {
  const statuses = await sendFrom(Array.from({ length: 65 }, (_, at) => `2001:db8:0:1::${at + 1}`))

  // One try comes back each minute, so a slow run may see one more accepted.
  expect(statuses.filter((status) => status === 429).length).toBeOneOf([4, 5])
})

it('gives a whole IPv6 /48 sixteen times the room of one /64, although it has 65 536 of them', async () => {
  const statuses = await sendFrom(
    Array.from({ length: 1000 }, (_, at) => `2001:db8:1:${Math.floor(at / 20).toString(16)}::${at + 1}`),
  )

  expect(statuses.filter((status) => status === 201).length).toBeOneOf([960, 961, 962, 963, 964, 965])
}, 120_000)

it('counts two networks apart', async () => {
  const statuses = await sendFrom(['2001:db8:0:2::1', '2001:db8:0:3::1'])

  expect(statuses).toEqual([201, 201])
})

it('counts an IPv4 address and its IPv6 form as one caller', async () => {
  const addresses = Array.from({ length: 65 }, (_, at) => (at % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'))
  const statuses = await sendFrom(addresses)

  expect(statuses.filter((status) => status === 429).length).toBeOneOf([4, 5])
})

function sendFrom(addresses: string[]): Promise<number[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const { status } = await callsFrom(shop, address)('/rest/v1/contact_submissions', { body: MESSAGE })
      return status
    }),
  )
}
