import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { EdgeVariables, GatewayVariables, Preamble } from '@saltfreak/backend'
import { queueCheckouts } from './checkout-queue.ts'

/** Serves a path whose work the test finishes by its number. */
function openQueue(atOnce: number, ofAddress = atOnce) {
  const started: string[] = []
  const finish = new Map<string, (error?: Error) => void>()
  const app = new Hono<{ Variables: Preamble & GatewayVariables & EdgeVariables }>()
  app.use(queueCheckouts({ atOnce, ofAddress }))
  app.use((c, next) => {
    c.set('caller', {
      role: 'authenticated',
      claims: {},
      userId: c.req.header('account') ?? null,
      token: null,
    })
    c.set('remoteAddress', c.req.header('from') ?? null)
    return next()
  })
  app.all('/:number', async (c) => {
    const number = c.req.param('number')
    const work = () =>
      new Promise<void>((settle, fail) => {
        started.push(number)
        finish.set(number, (error) => (error ? fail(error) : settle()))
      })
    const runInTurn = c.get('runInTurn')
    await (runInTurn ? runInTurn(work) : work())
    return c.text(number)
  })
  app.onError(() => new Response('broken', { status: 500 }))
  const call = (
    number: number,
    { method = 'POST', account = `buyer ${number}`, from = `192.0.2.${number}` } = {},
  ) => app.request(`/${number}`, { method, headers: { account, from } })
  return { started, finish: (number: number, error?: Error) => finish.get(String(number))?.(error), call }
}

it('runs two orders at once and the others in the order of their arrival', async () => {
  const { started, finish, call } = openQueue(2)
  const answers = [1, 2, 3, 4].map((number) => call(number))
  await expect.poll(() => started).toEqual(['1', '2'])

  finish(2)
  await answers[1]
  await expect.poll(() => started).toEqual(['1', '2', '3'])
  finish(1)
  await answers[0]

  await expect.poll(() => started).toEqual(['1', '2', '3', '4'])
  finish(3)
  finish(4)
  expect(await Promise.all(answers.map(async (answer) => (await answer).text()))).toEqual([
    '1',
    '2',
    '3',
    '4',
  ])
})

it('hands the turn of a failed order to the next one', async () => {
  const { started, finish, call } = openQueue(1)
  const [first, second] = [call(1), call(2)]
  await expect.poll(() => started).toEqual(['1'])

  finish(1, new Error('the database is away'))

  expect((await first).status).toBe(500)
  await expect.poll(() => started).toEqual(['1', '2'])
  finish(2)
  expect((await second).status).toBe(200)
})

it('reads a cart without waiting for orders', async () => {
  const { started, finish, call } = openQueue(1)
  const order = call(1)
  await expect.poll(() => started).toEqual(['1'])

  const cart = call(2, { method: 'GET' })

  await expect.poll(() => started).toEqual(['1', '2'])
  finish(2)
  expect((await cart).status).toBe(200)
  finish(1)
  await order
})

it('gives an account one turn at a time, and the others to those who wait behind it', async () => {
  const { started, finish, call } = openQueue(2)
  const [first, second] = [1, 2].map((number) => call(number, { account: 'greedy' }))
  await expect.poll(() => started).toEqual(['1'])

  const third = call(3)
  await expect.poll(() => started).toEqual(['1', '3'])
  finish(3)
  await third
  expect(started).toEqual(['1', '3'])

  finish(1)
  await first
  await expect.poll(() => started).toEqual(['1', '3', '2'])
  finish(2)
  expect((await second)?.status).toBe(200)
})

it('leaves a turn for others while many accounts of one address, or of one IPv6 site, wait for theirs', async () => {
  const { started, finish, call } = openQueue(3, 2)
  const crowd = [1, 2, 3].map(async (number) => call(number, { from: `2001:db8:0:${number}::1` }))
  await expect.poll(() => started).toEqual(['1', '2'])

  const other = call(4)
  await expect.poll(() => started).toEqual(['1', '2', '4'])
  finish(4)
  await other
  expect(started).toEqual(['1', '2', '4'])

  finish(1)
  await crowd[0]
  await expect.poll(() => started).toEqual(['1', '2', '4', '3'])
  finish(2)
  finish(3)
  await Promise.all(crowd)
})
