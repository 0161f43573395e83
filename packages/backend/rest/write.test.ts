import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openRest, type TestRest } from './testing/open-rest.ts'

let rest: TestRest

beforeAll(async () => {
  rest = await openRest({ allowsRollback: true })
})
afterAll(() => rest.close())
beforeEach(() =>
  rest.database.owner.query(
    `truncate public.items restart identity; insert into public.items (sku, name, quantity) values ('A', 'Anchor', 3), ('B', 'Bait', 0)`,
  ),
)

interface Sent {
  body?: unknown
  prefer?: string
  headers?: Record<string, string>
}

const send = (method: string, path: string, { body, prefer, headers }: Sent = {}) =>
  rest.request(path, {
    method,
    headers: { ...headers, ...(prefer !== undefined && { Prefer: prefer }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
const items = () => rest.json('/items?select=sku,name,quantity&order=id')
const OBJECT = { Accept: 'application/vnd.pgrst.object+json' }

describe('insert', () => {
  it('returns 201 without a body after an insert by default', async () => {
    const response = await send('POST', '/items', { body: { sku: 'C' } })

    expect([response.status, await response.text()]).toEqual([201, ''])
    expect(response.headers.get('Content-Range')).toBe('*/*')
    expect(await items()).toContainEqual({ sku: 'C', name: 'unnamed', quantity: 1 })
  })

  it('returns the written rows with embeds and computed columns', async () => {
    const one = await send('POST', '/items?select=id,sku,upper:name', {
      body: { sku: 'C', name: 'Cork' },
      prefer: 'return=representation',
    })
    expect(await one.json()).toEqual([{ id: 3, sku: 'C', upper: 'Cork' }])
    expect(one.headers.get('Preference-Applied')).toBe('return=representation')

    const film = await send(
      'POST',
      '/films?select=title,director:director_id(name),actors(name),upper_title',
      {
        body: { id: 10, title: 'Lolita', director_id: 1 },
        prefer: 'return=representation',
      },
    )
    expect(await film.json()).toEqual([
      { title: 'Lolita', director: { name: 'Kubrick' }, actors: [], upper_title: 'LOLITA' },
    ])
    const star = await send('PATCH', '/films?id=eq.10&select=*,upper_title,cast_of(name)', {
      body: { title: 'lolita' },
      prefer: 'return=representation',
    })
    expect(await star.json()).toMatchObject([{ id: 10, title: 'lolita', upper_title: 'LOLITA', cast_of: [] }])
    await rest.database.owner.query('delete from public.films where id = 10')
  })

  it('inserts many rows if the columns are named or all rows have equal keys', async () => {
    const body = [
      { sku: 'C', quantity: 2 },
      { sku: 'D', name: 'Dart' },
    ]
    const named = await send('POST', '/items?columns="sku","name","quantity"', {
      body,
      prefer: 'missing=default,count=exact',
    })
    expect([named.status, named.headers.get('Content-Range')]).toEqual([201, '*/2'])
    expect(named.headers.get('Preference-Applied')).toBe('missing=default, count=exact')
    expect(await items()).toMatchObject([
      {},
      {},
      { sku: 'C', name: 'unnamed', quantity: 2 },
      { sku: 'D', name: 'Dart', quantity: 1 },
    ])

    const uneven = await send('POST', '/items', { body })
    expect(uneven.status).toBe(400)
    expect(await uneven.json()).toMatchObject({ code: 'PGRST102', message: 'All object keys must match' })
  })

  it('ignores members outside the named columns and inserts null for missing members', async () => {
    await send('POST', '/items?columns=sku', { body: [{ sku: 'E', name: 'ignored' }] })
    expect(await items()).toContainEqual({ sku: 'E', name: 'unnamed', quantity: 1 })
    const lacking = await send('POST', '/items?columns=sku,quantity', { body: [{ sku: 'F' }] })
    expect(await lacking.json()).toMatchObject({ code: '23502' })
  })

  it('inserts defaults for an empty object and nothing for an empty array', async () => {
    expect((await send('POST', '/items', { body: {} })).status).toBe(201)
    expect((await send('POST', '/items', { body: [] })).status).toBe(201)
    expect(await items()).toHaveLength(3)
    expect(
      await (await send('POST', '/items', { body: [], prefer: 'return=representation' })).json(),
    ).toEqual([])
  })

  it('returns the new row’s location with return=headers-only', async () => {
    const response = await send('POST', '/items', { body: { sku: 'C' }, prefer: 'return=headers-only' })
    expect([response.status, response.headers.get('Location')]).toEqual([201, '/items?id=eq.3'])
  })

  it.each([
    [{ sku: 'A' }, 409, '23505'],
    [{ sku: 'Z', quantity: -1 }, 400, '23514'],
    [{ sku: 'Z', quantity: 'two' }, 400, '22P02'],
    [{ sku: 'Z', quantity: 1.5 }, 400, '22P02'],
    [{ sku: 'Z', quantity: 1e12 }, 400, '22003'],
    [{ sku: 'Z', note: 'longer than ten' }, 400, '22001'],
    [{ sku: 'Z', colour: 'red' }, 400, 'PGRST204'],
    ['{"sku": "nul\\u0000"}', 400, '22P05'],
    ['{"sku":', 400, 'PGRST102'],
    ['', 400, 'PGRST102'],
    ['nul\0', 400, 'PGRST102'],
    ['['.repeat(5000) + ']'.repeat(5000), 400, 'PGRST102'],
  ])('refuses to insert the body %j', async (body, status, code) => {
    const response = await send('POST', '/items', { body })

    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, message: expect.any(String) })
    expect(await items()).toHaveLength(2)
  })

  it('refuses writes with another content type or a body beyond the limit', async () => {
    const csv = await send('POST', '/items', { body: 'sku\nC', headers: { 'Content-Type': 'text/csv' } })
    expect(await csv.json()).toMatchObject({
      code: 'PGRST102',
      message: 'Content-Type not acceptable: text/csv',
    })

    const large = await send('POST', '/items', { body: { sku: 'x'.repeat(2 ** 20) } })
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({
      code: 'PGRST102',
      message: 'The request body is larger than 1048576 bytes',
    })
  })
})

const insertRaw = (raw: string) => send('POST', '/items', { body: `{"sku":"C","raw":${raw}}` })

it.each([
  ['[', ']'],
  ['{"a":', '}'],
])('refuses JSON that nests %s%s more than 256 levels deep', async (opening, closing) => {
  const nested = (levels: number) => `${opening.repeat(levels)}1${closing.repeat(levels)}`

  expect((await insertRaw(nested(255))).status).toBe(201)
  expect(await (await insertRaw(nested(256))).json()).toMatchObject({ code: 'PGRST102' })
})

it('does not count brackets in a text as nested JSON', async () => {
  expect((await insertRaw(`"${'{['.repeat(300)}"`)).status).toBe(201)
})

describe('upsert', () => {
  const merge = 'resolution=merge-duplicates,return=representation'

  it('merges duplicates by primary key or named columns and returns 200 without new rows', async () => {
    const mixed = await send('POST', '/items?on_conflict=sku&select=sku,name', {
      body: [
        { sku: 'A', name: 'Net' },
        { sku: 'C', name: 'Cork' },
      ],
      prefer: merge,
    })
    expect(mixed.status).toBe(201)
    expect(await mixed.json()).toEqual([
      { sku: 'A', name: 'Net' },
      { sku: 'C', name: 'Cork' },
    ])
    expect(mixed.headers.get('Preference-Applied')).toBe('resolution=merge-duplicates, return=representation')

    const known = await send('POST', '/items?select=quantity', {
      body: { id: 1, quantity: 9 },
      prefer: merge,
    })
    expect([known.status, await known.json()]).toEqual([200, [{ quantity: 9 }]])
  })

  it('skips duplicate rows with resolution=ignore-duplicates', async () => {
    const response = await send('POST', '/items?on_conflict=sku&select=sku', {
      body: [{ sku: 'A' }, { sku: 'D' }],
      prefer: 'resolution=ignore-duplicates,return=representation',
    })
    expect([response.status, await response.json()]).toEqual([201, [{ sku: 'D' }]])
    expect(await items()).toContainEqual({ sku: 'A', name: 'Anchor', quantity: 3 })
  })

  it('refuses conflict columns that are unknown or not unique', async () => {
    const body = { sku: 'A' }
    expect(
      await (await send('POST', '/items?on_conflict=nope', { body, prefer: merge })).json(),
    ).toMatchObject({ code: '42703' })
    expect(
      await (await send('POST', '/items?on_conflict=name', { body, prefer: merge })).json(),
    ).toMatchObject({ code: '42P10' })
  })
})

describe('update', () => {
  it('updates the rows that match the filters', async () => {
    const response = await send('PATCH', '/items?sku=eq.A', { body: { quantity: 7 } })
    expect([response.status, await response.text()]).toEqual([204, ''])

    const shown = await send('PATCH', '/items?or=(sku.eq.A,sku.eq.B)&select=sku,quantity&order=sku.desc', {
      body: { quantity: 1 },
      prefer: 'return=representation,count=exact',
    })
    expect([shown.status, shown.headers.get('Content-Range')]).toEqual([200, '0-1/2'])
    expect(await shown.json()).toEqual([
      { sku: 'B', quantity: 1 },
      { sku: 'A', quantity: 1 },
    ])
  })

  it('returns an empty list when no row or no column is updated', async () => {
    const none = await send('PATCH', '/items?sku=eq.Z', {
      body: { quantity: 7 },
      prefer: 'return=representation',
    })
    expect([none.status, await none.json()]).toEqual([200, []])
    const empty = await send('PATCH', '/items?sku=eq.A', { body: {}, prefer: 'return=representation' })
    expect([empty.status, await empty.json()]).toEqual([200, []])
  })

  it('fills missing columns with defaults with missing=default', async () => {
    await send('PATCH', '/items?sku=eq.A&columns=name,quantity', {
      body: { quantity: 5 },
      prefer: 'missing=default',
    })
    expect(await items()).toContainEqual({ sku: 'A', name: 'unnamed', quantity: 5 })
  })

  it('refuses to update or delete without a filter', async () => {
    const response = await send('PATCH', '/items', { body: { quantity: 7 } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: '21000', message: 'UPDATE requires a WHERE clause' })
    expect(await (await send('DELETE', '/items')).json()).toMatchObject({
      code: '21000',
      message: 'DELETE requires a WHERE clause',
    })
  })

  it('rolls back an update that exceeds max-affected', async () => {
    const prefer = 'handling=strict,max-affected=1'
    const response = await send('PATCH', '/items?quantity=gte.0', { body: { quantity: 7 }, prefer })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'PGRST124', details: 'The query affects 2 rows' })
    expect(await items()).toMatchObject([{ quantity: 3 }, { quantity: 0 }])

    const lenient = await send('PATCH', '/items?quantity=gte.0', {
      body: { quantity: 7 },
      prefer: 'max-affected=1',
    })
    expect(lenient.status).toBe(204)
  })
})

describe('delete', () => {
  it('deletes the matching rows and returns the deleted rows on request', async () => {
    const response = await send('DELETE', '/items?sku=eq.A&select=sku', {
      prefer: 'return=representation,count=exact',
    })
    expect([response.status, response.headers.get('Content-Range')]).toEqual([200, '*/1'])
    expect(await response.json()).toEqual([{ sku: 'A' }])
    expect((await send('DELETE', '/items?sku=eq.B')).status).toBe(204)
    expect(await items()).toEqual([])
  })

  it('refuses to delete a row that another table references', async () => {
    const response = await send('DELETE', '/directors?id=eq.1')
    expect([response.status, await response.json()]).toMatchObject([409, { code: '23503' }])
    const restricted = await send('DELETE', '/employees?manager_id=is.null')
    expect([restricted.status, await restricted.json()]).toMatchObject([409, { code: '23001' }])
  })
})

describe('checks before the commit', () => {
  it('rolls back a write of several rows that must return a single object', async () => {
    const two = { body: { quantity: 7 }, headers: OBJECT, prefer: 'return=representation' }
    const response = await send('PATCH', '/items?quantity=gte.0', two)
    expect([response.status, await response.json()]).toMatchObject([
      406,
      { code: 'PGRST116', details: 'The result contains 2 rows' },
    ])
    expect(await items()).toMatchObject([{ quantity: 3 }, { quantity: 0 }])

    const inserted = await send('POST', '/items', {
      body: [{ sku: 'C' }, { sku: 'D' }],
      headers: OBJECT,
      prefer: 'return=representation',
    })
    expect(inserted.status).toBe(406)
    expect(await items()).toHaveLength(2)

    const one = await send('POST', '/items?select=sku', {
      body: { sku: 'C' },
      headers: OBJECT,
      prefer: 'return=representation',
    })
    expect([one.status, await one.json()]).toEqual([201, { sku: 'C' }])
  })

  it('rolls back a write with tx=rollback if the server allows the preference', async () => {
    const response = await send('POST', '/items?select=sku', {
      body: { sku: 'C' },
      prefer: 'tx=rollback,return=representation',
    })
    expect([response.status, await response.json()]).toEqual([201, [{ sku: 'C' }]])
    expect(response.headers.get('Preference-Applied')).toBe('return=representation, tx=rollback')
    expect(await items()).toHaveLength(2)
  })

  it('commits a write with tx=rollback if the server forbids the preference', async () => {
    const plain = await openRest()
    const response = await plain.request('/items', {
      method: 'POST',
      body: '{"sku":"C"}',
      headers: { Prefer: 'tx=rollback' },
    })
    expect(response.headers.get('Preference-Applied')).toBeNull()
    expect(await plain.json('/items?sku=eq.C&select=sku')).toEqual([{ sku: 'C' }])
    await plain.close()
  })
})

describe('row-level security', () => {
  const thandi = { role: 'authenticated' as const, claims: { sub: '00000000-0000-0000-0000-00000000000a' } }
  const pieter = { role: 'authenticated' as const, claims: { sub: '00000000-0000-0000-0000-00000000000b' } }
  const writeAs = (caller: typeof thandi) => (method: string, path: string, body: object) =>
    rest.request(path, {
      method,
      caller,
      body: JSON.stringify(body),
      headers: { Prefer: 'return=representation' },
    })

  it('reads and writes only rows that the policies allow', async () => {
    expect((await writeAs(thandi)('POST', '/notes', { body: 'mine' })).status).toBe(201)
    expect(await rest.json('/notes?select=body', { caller: thandi })).toEqual([{ body: 'mine' }])
    expect(await rest.json('/notes?select=body', { caller: pieter })).toEqual([])
    expect(await rest.json('/notes?select=body')).toEqual([])

    const theirs = await writeAs(pieter)('PATCH', '/notes?body=eq.mine', { body: 'stolen' })
    expect([theirs.status, await theirs.json()]).toEqual([200, []])
    const forged = await writeAs(pieter)('POST', '/notes', { body: 'x', owner_id: thandi.claims.sub })
    expect([forged.status, await forged.json()]).toMatchObject([
      403,
      { code: '42501', message: 'new row violates row-level security policy for table "notes"' },
    ])
    const visitor = await rest.request('/notes', { method: 'POST', body: '{"body":"x"}' })
    expect(visitor.status).toBe(401)
  })
})

describe('preferences', () => {
  it('refuses unknown preferences only with handling=strict', async () => {
    const strict = await send('PATCH', '/items?id=eq.1', {
      body: {},
      prefer: 'handling=strict, anything, max-affected=1',
    })
    expect([strict.status, await strict.json()]).toMatchObject([
      400,
      {
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: 'Invalid preferences: anything',
      },
    ])
    expect(
      (await send('PATCH', '/items?id=eq.1', { body: {}, prefer: 'handling=lenient, anything' })).status,
    ).toBe(204)
  })

  it('applies the time zone of the Prefer header', async () => {
    const response = await send('GET', '/films?select=released&id=eq.1', {
      prefer: 'timezone=Africa/Johannesburg',
    })
    expect(await response.json()).toEqual([{ released: '1968-04-02T14:00:00+02:00' }])
  })
})

it('sends the headers Content-Length and Vary with an empty response', async () => {
  const answer = await rest.request('/items', {
    method: 'POST',
    body: '{"sku":"length"}',
    caller: { role: 'service_role' },
  })

  expect(answer.status).toBe(201)
  expect(answer.headers.get('Content-Length')).toBe('0')
  expect(answer.headers.get('Vary')).toBe('Accept, Prefer, Range')
})
