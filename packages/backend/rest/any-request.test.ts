import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { visitor } from '#backend/http/caller.ts'
import { runs } from '#backend/testing/property-runs.ts'

import { RestError } from './errors.ts'
import type { RestRequest } from './operations/operation.ts'
import { planRead } from './operations/read.ts'
import { negotiate } from './request/media-type.ts'
import { parseQuery } from './request/query.ts'
import { noRange } from './request/range.ts'
import { buildSchema } from './schema/build.ts'
import { readSystemCatalogue } from './schema/catalogue.ts'
import type { Schema } from './schema/model.ts'
import { accept, anyType, header, nasty, operator, prefer, query } from './testing/any.ts'
import { openRest, type TestRest } from './testing/open-rest.ts'

/** Property tests: no request causes a 500, and no client text gets into a statement. */

let rest: TestRest
let schema: Schema

beforeAll(async () => {
  rest = await openRest({ allowsRollback: true })
  const client = await rest.database.api.connect()
  schema = buildSchema(await readSystemCatalogue(client, ['public']), ['public'], ['public'])
  client.release()
})
afterAll(() => rest.close())

const RUNS = runs(300)

async function expectNoFault(response: Response): Promise<void> {
  const text = await response.text()
  expect(response.status, text).not.toBe(500)
  expect(response.status, text).not.toBe(503)
  if (response.status >= 300)
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(['code', 'details', 'hint', 'message'])
  // A client's tsquery may have a syntax error, a generated statement may not.
  expect(text).not.toMatch(/syntax error at/)
  expect(rest.logged).toEqual([])
}

describe('any request', () => {
  it('handles random read requests without a server error', async () => {
    await fc.assert(
      fc.asyncProperty(query, prefer, accept, header, async (...[parameters, preferences, Accept, any]) => {
        const headers = { Prefer: preferences, Accept, Range: any, 'Accept-Profile': 'public' }
        await expectNoFault(await rest.request(`/films?${parameters}`, { headers }))
      }),
      RUNS,
    )
  })

  it('handles random write requests without a server error', async () => {
    const body = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.dictionary(fc.constantFrom('id', 'sku', 'name', 'quantity', 'raw', 'nope'), fc.jsonValue()))
        .map((all) => JSON.stringify(all)),
      fc
        .record({ sku: nasty, quantity: fc.jsonValue(), raw: fc.jsonValue() }, { requiredKeys: [] })
        .map((all) => JSON.stringify(all)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('POST', 'PATCH', 'DELETE', 'PUT'),
        query,
        prefer,
        body,
        async (...[method, parameters, preferences, text]) => {
          const headers = { Prefer: `tx=rollback,${preferences}` }
          await expectNoFault(await rest.request(`/items?${parameters}`, { method, headers, body: text }))
        },
      ),
      RUNS,
    )
  })

  it('handles random function calls without a server error', async () => {
    const name = fc.oneof(
      fc.constantFrom('add', 'greet', 'echo', 'priced', 'sum_of', 'all_films', 'pick', 'tagged'),
      nasty,
    )
    const body = fc.oneof(
      fc.json(),
      fc
        .dictionary(fc.constantFrom('a', 'b', 'name', 'parts', 'lowest'), fc.jsonValue())
        .map((all) => JSON.stringify(all)),
    )
    await fc.assert(
      fc.asyncProperty(name, query, body, anyType, async (...[routine, parameters, text, contentType]) => {
        const url = `/rpc/${encodeURIComponent(routine.toWellFormed()) || 'x'}?${parameters}`
        const headers = { 'Content-Type': contentType }
        await expectNoFault(await rest.request(url, { method: 'POST', headers, body: text }))
        await expectNoFault(await rest.request(url))
      }),
      RUNS,
    )
  })
})

describe('generated statements', () => {
  it('generates SQL without client text except quoted aliases', () => {
    const word = 'Zz$marker'
    const marked = fc.constantFrom(word, `x${word}`, `${word}'`, `${word};--`)
    const parameters = fc.array(
      fc.oneof(
        fc.tuple(
          fc.constantFrom('title', 'data->a', `data->${word}`, `data->>"${word}"`, 'tags'),
          fc.tuple(operator, marked).map((both) => both.join('.')),
        ),
        fc.tuple(
          fc.constantFrom('or', 'and'),
          marked.map((text) => `(title.eq."${text}",id.in.(${word}))`),
        ),
        fc.constantFrom(['select', `id,"${word}":title,data->${word},x:data->>"${word}"`] as const),
        fc.constantFrom(
          ['order', `data->${word}.desc`] as const,
          ['limit', word] as const,
          ['offset', '3'] as const,
        ),
      ),
    )
    fc.assert(
      fc.property(parameters, (all) => {
        for (const { text } of statementsOf(new URLSearchParams(all.map(([k, v]) => [k, v])))) {
          expect(text.replaceAll(`as "${word}"`, '')).not.toContain(word)
        }
      }),
      runs(1000),
    )
  })

  it('generates the same SQL for the same query with other values', () => {
    const shapes = fc.tuple(fc.string(), fc.string(), fc.nat()).map(([a, b, n]) => {
      const quoted = JSON.stringify(a.replaceAll('\0', ''))
      return statementsOf(
        new URLSearchParams([
          ['title', `eq.${b}`],
          ['or', `(id.in.(1,2),title.like.${quoted})`],
          ['limit', String(n + 1)],
        ]),
      )
    })
    fc.assert(fc.property(shapes, shapes, (left, right) => left[0]?.text === right[0]?.text))
  })
})

/** Returns the statements for PostgreSQL; none for a refused query. */
function statementsOf(parameters: URLSearchParams) {
  try {
    return planRead(reading(parameters), schema, {
      exposed: ['public'],
      maxRows: 1000,
      allowsRollback: false,
      privileged: null,
    }).statements
  } catch (error) {
    if (error instanceof RestError) return []
    throw error
  }
}

function reading(parameters: URLSearchParams): RestRequest {
  const parsed = parseQuery(parameters, { takesArguments: false })
  return {
    method: 'GET',
    schemaName: 'public',
    name: 'films',
    caller: visitor,
    query: parsed,
    canonicalQuery: '',
    range: parsed.ranges[0]?.value ?? noRange,
    preferences: { invalid: [] },
    accepted: negotiate(undefined),
    contentType: 'application/json',
    body: '',
  }
}
