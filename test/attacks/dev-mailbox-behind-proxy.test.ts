/** The attack: strangers read sign-in links in the development mailbox, because a local proxy calls from loopback with `Host: localhost`. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const PATHS = ['/dev/mail', '/dev/mail/previews', '/dev/mail/previews/order-confirmation']

it.each(PATHS)('serves the development page %s to a browser on the same machine', async (path) => {
  expect((await shop.fetch(path)).status).toBe(200)
})

it.each([
  ['Forwarded', 'for=203.0.113.9;host=shop.example'],
  ['X-Forwarded-For', '203.0.113.9'],
  ['X-Forwarded-Host', 'shop.example'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Real-IP', '203.0.113.9'],
  ['Via', '1.1 caddy'],
  ['CF-Connecting-IP', '203.0.113.9'],
  ['True-Client-IP', '203.0.113.9'],
])('hides mails and previews from a request that a proxy marked with %s', async (name, value) => {
  const answers = await Promise.all(PATHS.map((path) => shop.fetch(path, { headers: { [name]: value } })))

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})

it('hides mails and previews from a request for another host name', async () => {
  const answers = await Promise.all(
    PATHS.map((path) => shop.fetch(new Request(`http://shop.example${path}`))),
  )

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})
