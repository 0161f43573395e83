import { Hono } from 'hono'
import { expect, it } from 'vitest'

import { type Concurrency, createCallLimit, limitConcurrency } from './concurrency.ts'
import type { EdgeVariables } from './edge.ts'
import type { GatewayVariables } from './gateway.ts'

const limits: Concurrency = {
  address: { atOnce: 4, waiting: 70 },
  account: { atOnce: 3, waiting: 1000 },
  accountsOfAddress: 4,
  isQueuedElsewhere: ({ method, path }) => method === 'POST' && path === '/order',
}

/** A service whose calls last until they are ended. */
function aService() {
  const running: { call: string; end: () => void }[] = []
  const app = new Hono<{ Variables: EdgeVariables & GatewayVariables }>()
  app.use(async (c, next) => {
    const userId = c.req.header('account') ?? null
    const role = userId ? 'authenticated' : 'anon'
    c.set('caller', { role, userId, claims: {}, token: null })
    c.set('remoteAddress', c.req.header('from') ?? null)
    await next()
  })
  app.use(limitConcurrency(createCallLimit(limits)))
  app.all('*', async (c) => {
    await new Promise<void>((end) => running.push({ call: c.req.header('call') ?? '', end }))
    return c.body(null, 204)
  })
  const call = (account: string | null, { path = '/', method = 'POST', from = '192.0.2.1' } = {}) => {
    const name = `${account ?? 'visitor'} ${path}`
    const headers = { from, call: name, ...(account && { account }) }
    return app.request(path, { method, headers })
  }
  return {
    call,
    calls(count: number, account: string | null, options = {}) {
      for (let begun = 0; begun < count; begun += 1) void call(account, options)
    },
    /** The calls that run after everything that can begin has begun. */
    async running() {
      await new Promise((resolve) => setImmediate(resolve))
      return running.map((one) => one.call).toSorted()
    },
    end: () => running.shift()?.end(),
  }
}

it('runs four calls of all accounts of an address, and a further one when one ends', async () => {
  const service = aService()
  for (const account of ['a', 'b', 'c']) service.calls(2, account)
  expect(await service.running()).toEqual(['a /', 'a /', 'b /', 'b /'])

  service.end()

  expect(await service.running()).toEqual(['a /', 'b /', 'b /', 'c /'])
})

it('runs the calls of other addresses and of visitors beside those of an address that is busy', async () => {
  const service = aService()
  for (const account of ['a', 'b']) service.calls(3, account)

  service.calls(1, 'c', { from: '192.0.2.2' })
  service.calls(1, null)

  expect(await service.running()).toEqual(['a /', 'a /', 'a /', 'b /', 'c /', 'visitor /'])
})

it('counts the calls of visitors and accounts from all networks of one IPv6 site together', async () => {
  const service = aService()
  for (const account of ['a', 'b', 'c']) service.calls(2, account, { from: `2001:db8:1:${account}::1` })
  for (const network of [1, 2, 3, 4, 5]) service.calls(1, null, { from: `2001:db8:1:${network}::1` })

  service.calls(1, 'd', { from: '2001:db8:2::1' })

  expect(await service.running()).toEqual([
    'a /',
    'a /',
    'b /',
    'b /',
    'd /',
    ...Array.from({ length: 4 }, () => 'visitor /'),
  ])
})

it('runs the queued call of the account with the fewest running calls first', async () => {
  const service = aService()
  for (const account of ['a', 'b']) service.calls(3, account)
  service.calls(1, 'c')
  expect(await service.running()).toEqual(['a /', 'a /', 'a /', 'b /'])

  service.end()

  expect(await service.running()).toEqual(['a /', 'a /', 'b /', 'c /'])
})

it('does not count calls of an address that another queue limits, nor reads of the same path as such', async () => {
  const service = aService()
  for (const account of ['a', 'b']) service.calls(2, account)

  service.calls(1, 'c', { path: '/order' })
  service.calls(1, 'd', { path: '/order', method: 'GET' })

  expect(await service.running()).toEqual(['a /', 'a /', 'b /', 'b /', 'c /order'])
})
