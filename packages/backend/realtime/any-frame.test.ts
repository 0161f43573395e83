import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runs } from '#backend/testing/property-runs.ts'
import { FilterError, parseFilter } from './changes/filter.ts'
import { parseWatch } from './changes/subscription.ts'
import { decodeFrame, encodeBroadcast, encodeFrame, type Version } from './protocol/frame.ts'
import { parseJoin } from './protocol/join-request.ts'
import { KEYS, openRealtime, type TestRealtime } from './testing/open-realtime.ts'
import { openSocket } from './testing/open-socket.ts'

const version = fc.constantFrom<Version>('1.0.0', '2.0.0')
const anyJson = fc.json().map((text) => Buffer.from(text))
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array))
/** Binary frames that look like a client's broadcast, with arbitrary lengths. */
const almostBroadcast = fc
  .tuple(fc.uint8Array({ minLength: 6, maxLength: 6 }), bytes)
  .map(([head, rest]) => Buffer.concat([Buffer.from([3]), head, rest]))
const event = fc.constantFrom(
  'phx_join',
  'phx_leave',
  'access_token',
  'broadcast',
  'presence',
  'heartbeat',
  'x',
)
const almostFrame = fc
  .tuple(
    fc.option(fc.string()),
    fc.option(fc.string()),
    fc.constantFrom('realtime:a', 'realtime:', 'phoenix', 'b'),
    event,
    fc.jsonValue(),
  )
  .map((frame) => Buffer.from(JSON.stringify(frame)))
const change = fc.record(
  {
    event: fc.oneof(fc.constantFrom('*', 'INSERT'), fc.jsonValue()),
    schema: fc.oneof(fc.constantFrom('public', '*'), fc.jsonValue()),
    table: fc.oneof(fc.constantFrom('notes', "no'tes", '*'), fc.jsonValue()),
    filter: fc.oneof(
      fc.string(),
      fc
        .tuple(
          fc.constantFrom('id', 'text', '"id"', "a'b"),
          fc.constantFrom('eq', 'not.in', 'is', 'match', 'like'),
          fc.string(),
        )
        .map(([column, operator, value]) => `${column}=${operator}.${value}`),
    ),
    select: fc.option(fc.array(fc.string())),
  },
  { requiredKeys: [] },
)
const almostJoin = fc
  .record({
    config: fc.record(
      {
        postgres_changes: fc.array(change, { maxLength: 3 }),
        private: fc.oneof(fc.boolean(), fc.jsonValue()),
        broadcast: fc.jsonValue(),
        presence: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    access_token: fc.oneof(fc.constant(undefined), fc.string(), fc.jsonValue()),
  })
  .map((payload) => Buffer.from(JSON.stringify(['1', '1', 'realtime:a', 'phx_join', payload])))

describe('parsers', () => {
  it('parses any random input to a frame or null and never throws', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(anyJson, bytes, almostBroadcast, almostFrame),
        fc.boolean(),
        version,
        async (data, isBinary, vsn) => {
          const frame = decodeFrame(data, isBinary, vsn)
          if (frame) parseJoin(await frame.readPayload())
        },
      ),
      runs(2_000),
    ))

  it('parses any random filter to conditions or an error message', () => {
    fc.assert(
      fc.property(change, (request) => {
        const joined = parseJoin({ config: { postgres_changes: [request] } })
        if (typeof joined === 'string') return
        try {
          for (const each of joined.changes) parseWatch(each)
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError)
        }
      }),
      runs(2_000),
    )
  })

  it('parses filter values in the client’s quotation format', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (values) => {
        const quoted = values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`)
        const conditions = parseFilter(values.map((_, index) => `a=eq.${quoted[index]}`).join(','))

        expect(conditions.map(({ value }) => value)).toEqual(values)
      }),
    )
  })
})

it('decodes every encoded frame to the same frame in both protocol versions', async () => {
  const name = fc.string({ maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(name, name, fc.jsonValue(), version, async (...[topic, what, payload, vsn]) => {
      const text = encodeFrame({ topic, event: what, payload: JSON.stringify({ payload }) }, vsn)
      const frame = decodeFrame(Buffer.from(text), false, vsn)
      expect(frame).toMatchObject({ topic, event: what, joinRef: null, ref: null })
      expect(JSON.stringify(await frame?.readPayload())).toBe(JSON.stringify({ payload }))
      expect(encodeBroadcast({ topic, event: what, payload: JSON.stringify(payload) }, vsn)).not.toBeNull()
    }),
  )
})

describe('a server', () => {
  let test: TestRealtime
  beforeAll(async () => {
    test = await openRealtime(
      `create table public.notes (id int primary key, text text); grant select on public.notes to anon;
       alter publication supabase_realtime add table public.notes`,
      { limits: { framesPerSecond: 100_000, joinsPerSecond: 100_000 } },
    )
  })
  afterAll(() => test.close())

  it('responds to random frames without logging an error', async () => {
    const url = `${test.server.url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`
    const socket = await openSocket(url)
    const anything = fc.oneof(anyJson, bytes, almostBroadcast, almostFrame, almostJoin, almostJoin)
    let sent = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 5 }), fc.boolean(), async (frames, isBinary) => {
        for (const frame of frames) socket.sendRaw(isBinary ? frame : frame.toString())
        sent += 1
        socket.send([null, `case ${sent}`, 'realtime:last', 'phx_leave', {}])
        let frame: unknown
        do frame = await socket.next()
        while (!Array.isArray(frame) || frame[1] !== `case ${sent}`)
      }),
      runs(200),
    )

    expect(test.logged).toEqual([])
    await socket.close()
  })
})
