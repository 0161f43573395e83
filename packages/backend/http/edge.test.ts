import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import {
  type ListenerContext,
  type EdgeVariables,
  findRemoteAddress,
  logRequests,
  assignRequestId,
} from './edge.ts'

function edge(settings = { trustProxy: 0 }) {
  const lines: string[] = []
  const log = pino(new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }))
  const app = new Hono<{ Bindings: ListenerContext | undefined; Variables: EdgeVariables }>()
  app.use(logRequests(log), assignRequestId(settings), findRemoteAddress(settings))
  app.get('*', (c) => c.json({ address: c.get('remoteAddress'), id: c.get('requestId') }))
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await app.request(path, { headers }, { remoteAddress: '10.0.0.9' })
    return answer.json()
  }
  return { ask, lines }
}

describe('the client’s address', () => {
  const forged = { 'X-Forwarded-For': '6.6.6.6, 41.0.0.1, 10.0.0.2' }

  it.each([
    [{ trustProxy: 0 }, '10.0.0.9'],
    [{ trustProxy: 1 }, '10.0.0.2'],
    [{ trustProxy: 2 }, '41.0.0.1'],
  ])(
    'ignores forged X-Forwarded-For entries with %o and returns the address %s',
    async (proxies, address) => {
      expect(await edge(proxies).ask('/', forged)).toMatchObject({ address })
    },
  )

  it('uses the socket’s address when the proxy sends no X-Forwarded-For header', async () => {
    expect(await edge({ trustProxy: 1 }).ask('/')).toMatchObject({ address: '10.0.0.9' })
  })

  it.each([
    ['203.0.113.7:50412', '203.0.113.7'],
    ['[2001:db8::7]:50412', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['', '10.0.0.9'],
    ['6.6.6.6,', '10.0.0.9'],
    ['unknown', '10.0.0.9'],
  ])('reads the proxy’s X-Forwarded-For entry "%s" as the address %s', async (entry, address) => {
    expect(await edge({ trustProxy: 1 }).ask('/', { 'X-Forwarded-For': entry })).toMatchObject({ address })
  })
})

describe('requests', () => {
  it('assigns a request id unless a trusted proxy has sent an id', async () => {
    const given = { 'X-Request-Id': 'from-outside' }

    expect((await edge().ask('/', given)).id).not.toBe('from-outside')
    expect((await edge({ trustProxy: 1 }).ask('/', given)).id).toBe('from-outside')
  })

  it.each(['two words', 'a"b', 'x'.repeat(256)])(
    'replaces the proxy’s request id %j, which is no plain word',
    async (id) => {
      expect((await edge({ trustProxy: 1 }).ask('/', { 'X-Request-Id': id })).id).not.toBe(id)
    },
  )

  it('logs a request as one line without the query string', async () => {
    const { ask, lines } = edge()

    const { id } = await ask('/auth/v1/verify?token=secret')

    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      id,
      method: 'GET',
      path: '/auth/v1/verify',
      status: 200,
    })
    expect(lines[0]).not.toContain('secret')
  })
})
