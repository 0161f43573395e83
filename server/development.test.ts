import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { requireLoopback } from './development.ts'

/** The status for a request to `url` over a socket from `remoteAddress`. */
async function statusFor(url: string, remoteAddress: string | undefined, headers = {}): Promise<number> {
  const app = new Hono().get('*', requireLoopback, (c) => c.text('a sign-in link'))
  const response = await app.request(url, { headers }, { remoteAddress })
  return response.status
}

it.each([
  ['127.0.0.1', 200],
  ['::1', 200],
  ['::ffff:127.0.0.1', 200],
  ['192.168.1.20', 404],
  ['::ffff:203.0.113.9', 404],
  ['127.0.0.1.example', 404],
  [undefined, 404],
])('responds on development routes to a connection from %s with status %i', async (address, status) => {
  expect(await statusFor('http://localhost:3000/', address)).toBe(status)
})

it.each([
  ['http://localhost:3000/', 200],
  ['http://shop.localhost/', 200],
  ['http://127.0.0.1:8080/', 200],
  ['http://[::1]:3000/', 200],
  ['http://shop.example/', 404],
  ['http://localhost.evil.example/', 404],
  ['http://127.0.0.1.evil.example/', 404],
])('responds on development routes to the host name %s with status %i', async (url, status) => {
  expect(await statusFor(url, '127.0.0.1')).toBe(status)
})

it('does not trust a forwarded loopback address on development routes', async () => {
  const headers = { 'X-Forwarded-For': '127.0.0.1' }

  expect(await statusFor('http://localhost/', '127.0.0.1', headers)).toBe(404)
  expect(await statusFor('http://localhost/', '203.0.113.9', headers)).toBe(404)
})

it('does not mistake ordinary browser headers for the headers of a proxy', async () => {
  const headers = {
    Accept: 'text/html',
    'Accept-Language': 'en-ZA',
    Cookie: 'cart=1',
    Referer: 'http://localhost/checkout',
    'Sec-Fetch-Site': 'same-origin',
    'Upgrade-Insecure-Requests': '1',
    'User-Agent': 'Mozilla/5.0',
  }

  expect(await statusFor('http://localhost/', '127.0.0.1', headers)).toBe(200)
})
