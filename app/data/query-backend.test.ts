import { createClient } from '@supabase/supabase-js'
import { beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import type { ShopDatabase } from '#database'
import { callFunction, NoResponseError, queryAllRows, queryBackend } from './query-backend.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let answer: (request: Request) => Promise<Response>
let requests: Request[]

beforeEach(() => {
  requests = []
  browser.client = createClient<ShopDatabase>('https://shop.example', 'key', {
    global: {
      fetch: (input, init) => {
        const request = new Request(input, init)
        requests.push(request)
        return answer(request)
      },
    },
  })
})

const lost = async () => {
  throw new TypeError('fetch failed')
}
const refused = async () =>
  Response.json(
    { code: 'P0001', message: 'This order is paid.', details: 'paid', hint: null },
    { status: 409 },
  )

const read = () => queryBackend((client) => client.from('products').select('id'))

it('tells a lost connection from a refusal', async () => {
  answer = lost
  await expect(read()).rejects.toBeInstanceOf(NoResponseError)
  expect(requests).toHaveLength(1)

  answer = refused
  await expect(read()).rejects.toMatchObject({ message: 'This order is paid.', cause: { details: 'paid' } })
})

it.each([502, 503, 504])('takes the page of a proxy with status %s for a lost response', async (status) => {
  answer = async () => new Response('<html>Bad Gateway</html>', { status })
  await expect(read()).rejects.toBeInstanceOf(NoResponseError)
  await expect(
    queryBackend(({ auth }) => auth.resetPasswordForEmail('a@example.com')),
  ).rejects.toBeInstanceOf(NoResponseError)

  answer = async () =>
    Response.json({ code: 'XX000', message: 'No answer in time.', details: null, hint: null }, { status })
  await expect(read()).rejects.toThrow('No answer in time.')
})

it('tells a lost connection to a server function from its refusal', async () => {
  answer = lost
  await expect(callFunction('send-contact-notification')).rejects.toBeInstanceOf(NoResponseError)

  answer = async () => Response.json({ message: 'Too many messages.' }, { status: 429 })
  await expect(callFunction('send-contact-notification')).rejects.toThrow('Too many messages.')
})

it('reads every row beyond the maximum of one response', async () => {
  const rows = Array.from({ length: 2001 }, (_, id) => ({ id }))
  answer = async ({ url }) => {
    const { searchParams } = new URL(url)
    const first = Number(searchParams.get('offset'))
    return Response.json(rows.slice(first, first + Number(searchParams.get('limit'))))
  }

  const all = await queryAllRows((client, { first, last }) =>
    client.from('products').select('id').range(first, last),
  )

  expect(all).toEqual(rows)
})
