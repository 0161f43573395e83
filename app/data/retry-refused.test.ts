import { expect, it } from 'vitest'
import { retryRefused } from './retry-refused.ts'

const refused = () => new Response('{}', { status: 503, headers: { 'x-refused': 'overload' } })

/** Answers with the given responses in turn, then with 200. */
function server(...responses: (() => Response)[]) {
  const bodies: string[] = []
  const pauses: number[] = []
  const send: typeof fetch = async (input, init) => {
    bodies.push(await new Request(input, init).text())
    return responses.shift()?.() ?? new Response('done')
  }
  const pause = async (ms: number) => void pauses.push(ms)
  return { fetch: retryRefused(send, { pause }), bodies, pauses }
}

const url = 'http://localhost/rest/v1/rpc/place_order'

it('repeats a request that the overloaded shop refused, with its body and growing pauses', async () => {
  const shop = server(refused, refused)

  const response = await shop.fetch(url, { method: 'POST', body: 'order' })

  expect(await response.text()).toBe('done')
  expect(shop.bodies).toEqual(['order', 'order', 'order'])
  expect(shop.pauses).toHaveLength(2)
  expect(Math.max(...shop.pauses)).toBeLessThanOrEqual(2250)
})

it('repeats a refused Request, whose body can be read once', async () => {
  const shop = server(refused)

  await shop.fetch(new Request(url, { method: 'POST', body: 'order' }))

  expect(shop.bodies).toEqual(['order', 'order'])
})

it.each([
  ['a 503 of the database', () => new Response('{}', { status: 503 })],
  ['an error of the request', () => new Response('{}', { status: 409 })],
])('does not repeat %s, which may have done something', async (_, answer) => {
  const shop = server(answer)

  await shop.fetch(url, { method: 'POST', body: 'order' })

  expect(shop.bodies).toEqual(['order'])
})

it('returns the refusal when the shop stays overloaded', async () => {
  const shop = server(...Array.from({ length: 20 }, () => refused))

  expect((await shop.fetch(url)).status).toBe(503)
  expect(shop.bodies).toHaveLength(7)
})

it('stops waiting when the request is aborted', async () => {
  const leaving = new AbortController()
  const repeating = retryRefused(async () => refused())(url, { signal: leaving.signal })
  leaving.abort()

  await expect(repeating).rejects.toThrow('abort')
})
