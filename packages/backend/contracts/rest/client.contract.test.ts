import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openRest, tokenFor, type TestRest } from '#backend/rest/testing/open-rest.ts'

/** Covers all methods of the official client that `/rest/v1` supports. */

let rest: TestRest
let client: SupabaseClient

beforeAll(async () => {
  rest = await openRest({ allowsRollback: true })
  client = rest.client()
})
afterAll(() => rest.close())
beforeEach(() =>
  rest.database.owner.query(
    `truncate public.items restart identity; insert into public.items (sku, name, quantity) values ('A', 'Anchor', 3), ('B', 'Bait', 0)`,
  ),
)

const films = () => client.from('films').select('id').order('id')
const idsOf = ({ data }: { data: { id: number }[] | null }) => data?.map(({ id }) => id)

describe('select', () => {
  it('selects columns and relations with counts and HEAD', async () => {
    const { data, count, status, statusText } = await client
      .from('films')
      .select('id, title, director:directors!films_director_id_fkey ( name ), actors ( name )', {
        count: 'exact',
      })
      .order('id')
      .limit(1)
    expect({ data, count, status, statusText }).toEqual({
      data: [{ id: 1, title: '2001', director: { name: 'Kubrick' }, actors: [{ name: 'Dullea' }] }],
      count: 3,
      status: 206,
      statusText: 'Partial Content',
    })
    expect(await client.from('films').select('*', { count: 'exact', head: true })).toMatchObject({
      data: null,
      count: 3,
    })
    expect((await client.from('films').select('*', { count: 'estimated', head: true })).count).toBe(3)
    expect((await client.from('films').select('*', { count: 'planned', head: true })).count).toBeTypeOf(
      'number',
    )
  })

  it('applies order, limit and range to rows and embedded rows', async () => {
    expect(
      idsOf(await client.from('films').select('id').order('price', { ascending: false, nullsFirst: false })),
    ).toEqual([1, 2, 3])
    expect(idsOf(await films().range(1, 2))).toEqual([2, 3])
    const { data } = await client
      .from('directors')
      .select('name, films!director_id ( title )')
      .order('title', { referencedTable: 'films', ascending: false })
      .limit(1, { referencedTable: 'films' })
      .eq('films.price', 8)
      .order('id')
      .range(0, 0)
    expect(data).toEqual([{ name: 'Kubrick', films: [{ title: 'The Shining' }] }])
  })

  it('supports single, maybeSingle, csv and stripNulls', async () => {
    expect((await client.from('films').select('id').eq('id', 1).single()).data).toEqual({ id: 1 })
    expect(await client.from('films').select('id').eq('id', 99).single()).toMatchObject({
      status: 406,
      statusText: 'Not Acceptable',
      error: { code: 'PGRST116' },
    })
    expect((await client.from('films').select('id').eq('id', 99).maybeSingle()).data).toBeNull()
    expect((await client.from('films').select('id').maybeSingle()).error?.code).toBe('PGRST116')
    expect((await client.from('actors').select('id,name').eq('id', 1).csv()).data).toBe('id,name\n1,Dullea')
    expect((await client.from('films').select('id,price').eq('id', 3).stripNulls()).data).toEqual([{ id: 3 }])
  })

  it('refuses geojson, explain and hidden schemas', async () => {
    expect((await client.from('films').select().geojson()).error?.code).toBe('PGRST107')
    expect((await client.from('films').select().explain()).error).toMatchObject({ code: 'PGRST107' })
    expect((await client.schema('hidden').from('things').select()).error?.code).toBe('PGRST106')
  })
})

describe('filters', () => {
  it.each<[string, (query: ReturnType<typeof films>) => ReturnType<typeof films>, number[]]>([
    ['eq', (query) => query.eq('title', 'The Shining'), [2]],
    ['neq', (query) => query.neq('id', 2), [1, 3]],
    ['gt and lte', (query) => query.gt('id', 1).lte('id', 2), [2]],
    ['gte and lt', (query) => query.gte('id', 2).lt('id', 3), [2]],
    ['like', (query) => query.like('title', '%in%'), [2]],
    ['likeAllOf', (query) => query.likeAllOf('title', ['%h%', '%S%']), [2]],
    ['likeAnyOf', (query) => query.likeAnyOf('title', ['2%', 'E%']), [1, 3]],
    ['ilike', (query) => query.ilike('title', 'the%'), [2]],
    ['ilikeAllOf', (query) => query.ilikeAllOf('title', ['the%', '%ING']), [2]],
    ['ilikeAnyOf', (query) => query.ilikeAnyOf('title', ['e%']), [3]],
    ['regexMatch', (query) => query.regexMatch('title', '^[0-9]+$'), [1]],
    ['regexIMatch', (query) => query.regexIMatch('title', '^THE'), [2]],
    ['is null', (query) => query.is('price', null), [3]],
    ['is true', (query) => query.is('is_live', true), [1]],
    ['isDistinct', (query) => query.isDistinct('price', 8), [1, 3]],
    ['in', (query) => query.in('title', ['2001', 'a,b', 'c)d']), [1]],
    ['notIn', (query) => query.notIn('id', [1, 2]), [3]],
    ['contains an array', (query) => query.contains('tags', ['horror']), [2]],
    ['contains an object', (query) => query.contains('data', { colour: 'white' }), [1]],
    ['containedBy', (query) => query.containedBy('tags', ['horror', 'space']), [2, 3]],
    ['overlaps', (query) => query.overlaps('tags', ['horror', 'space']), [1, 2]],
    ['rangeLt', (query) => query.rangeLt('shown', '[2020-02-15,2020-03-01)'), [1]],
    ['rangeGt', (query) => query.rangeGt('shown', '[2019-01-01,2019-03-01)'), [1, 2]],
    ['rangeGte', (query) => query.rangeGte('shown', '[2020-01-10,2020-03-01)'), [2]],
    ['rangeLte', (query) => query.rangeLte('shown', '[2020-01-01,2020-02-01)'), [1]],
    ['rangeAdjacent', (query) => query.rangeAdjacent('shown', '[2020-03-01,2020-04-01)'), [2]],
    ['textSearch', (query) => query.textSearch('title', 'shine', { config: 'english', type: 'plain' }), [2]],
    ['match', (query) => query.match({ id: 2, title: 'The Shining' }), [2]],
    ['not', (query) => query.not('price', 'is', null), [1, 2]],
    ['or', (query) => query.or('id.eq.1,and(id.gt.2,price.is.null)'), [1, 3]],
    ['filter', (query) => query.filter('data->>colour', 'eq', 'red'), [2]],
  ])('applies the client’s filter: %s', async (...[, refine, expected]) => {
    expect(idsOf(await refine(films()))).toEqual(expected)
  })

  it('filters embedded rows and rows without embedded rows', async () => {
    const { data } = await client
      .from('directors')
      .select('name, films!director_id!inner ( id )')
      .or('id.eq.1,id.eq.3', { referencedTable: 'films' })
      .order('name')
    expect(data).toEqual([
      { name: 'Kubrick', films: [{ id: 1 }] },
      { name: 'Lynch', films: [{ id: 3 }] },
    ])
    expect(idsOf(await client.from('films').select('id, actors ()').is('actors', null))).toEqual([3])
  })
})

describe('writes', () => {
  it('inserts one or many rows with counts and defaults', async () => {
    expect(await client.from('items').insert({ sku: 'C' })).toMatchObject({
      data: null,
      error: null,
      status: 201,
      statusText: 'Created',
    })
    const many = await client
      .from('items')
      .insert([{ sku: 'D' }, { sku: 'E', quantity: 2 }], { count: 'exact', defaultToNull: false })
      .select('sku,quantity')
    expect(many).toMatchObject({
      count: 2,
      data: [
        { sku: 'D', quantity: 1 },
        { sku: 'E', quantity: 2 },
      ],
    })
    const nulled = await client.from('items').insert([{ sku: 'F' }, { sku: 'G', quantity: 2 }])
    expect(nulled).toMatchObject({ status: 400, error: { code: '23502' } })
    expect((await client.from('items').insert({ sku: 'H' }).select('sku').single()).data).toEqual({
      sku: 'H',
    })
  })

  it('merges or ignores duplicates in an upsert', async () => {
    const merged = await client
      .from('items')
      .upsert([{ sku: 'A', name: 'Net' }], { onConflict: 'sku' })
      .select('id,name')
    expect(merged).toMatchObject({ status: 200, data: [{ id: 1, name: 'Net' }] })
    const ignored = await client
      .from('items')
      .upsert({ sku: 'A', name: 'Hook' }, { onConflict: 'sku', ignoreDuplicates: true })
      .select()
    expect(ignored).toMatchObject({ status: 201, data: [] })
  })

  it('updates and deletes rows with counts', async () => {
    const updated = await client.from('items').update({ quantity: 5 }, { count: 'exact' }).eq('sku', 'A')
    expect(updated).toMatchObject({ status: 204, statusText: 'No Content', count: 1, data: null })
    expect(
      (await client.from('items').update({ quantity: 6 }).eq('sku', 'A').select('quantity').single()).data,
    ).toEqual({ quantity: 6 })
    const deleted = await client.from('items').delete({ count: 'exact' }).gte('id', 1).select('sku')
    expect(deleted).toMatchObject({ status: 200, count: 2 })
    expect((await client.from('items').delete()).error).toMatchObject({ code: '21000' })
  })

  it('supports maxAffected and rollback when the client deletes rows', async () => {
    const many = Promise.resolve<object>(client.from('items').delete().gte('id', 0).maxAffected(1))
    expect(await many).toMatchObject({ error: { code: 'PGRST124' } })
    expect((await client.from('items').delete().gte('id', 0).select('sku').rollback()).data).toHaveLength(2)
    expect((await client.from('items').select('*', { count: 'exact', head: true })).count).toBe(2)
  })

  it('throws an error with all details after throwOnError', async () => {
    await expect(client.from('items').insert({ sku: 'A' }).throwOnError()).rejects.toMatchObject({
      code: '23505',
      details: 'Key (sku)=(A) already exists.',
      message: 'duplicate key value violates unique constraint "items_sku_key"',
    })
  })
})

describe('rpc', () => {
  it('calls functions by POST, GET and HEAD', async () => {
    expect((await client.rpc('add', { a: 1, b: 2 })).data).toBe(3)
    expect((await client.rpc('add', { a: 1, b: 2 }, { get: true })).data).toBe(3)
    expect((await client.rpc('total_of', { parts: [1, 2] }, { get: true })).data).toBe(3)
    expect(await client.rpc('all_films', {}, { head: true, count: 'exact' })).toMatchObject({
      data: null,
      count: 3,
    })
    expect(await client.rpc('total_of', { parts: { 0: 1 } }, { head: true })).toMatchObject({ data: null })
    expect(await client.rpc('ping')).toMatchObject({ data: null, status: 204 })
    expect((await client.rpc('nothing_like_it')).error?.code).toBe('PGRST202')
  })

  it('selects, filters and orders a function’s rows', async () => {
    const { data } = await client
      .rpc('all_films')
      .select('title, directors!films_director_id_fkey ( name )')
      .gt('id', 1)
      .order('id', { ascending: false })
      .limit(1)
      .single()
    expect(data).toEqual({ title: 'Eraserhead', directors: { name: 'Lynch' } })
  })
})

describe('a signed-in client', () => {
  it('writes and reads rows as the signed-in customer', async () => {
    const thandi = rest.client(tokenFor('00000000-0000-0000-0000-00000000000a'))

    expect((await thandi.from('notes').insert({ body: 'hers' }).select('body').single()).data).toEqual({
      body: 'hers',
    })
    expect((await client.from('notes').select()).data).toEqual([])
    expect(await client.from('notes').insert({ body: 'x' })).toMatchObject({
      status: 401,
      error: { code: '42501' },
    })
    expect((await thandi.rpc('who')).data).toMatchObject({ user: 'authenticated' })
  })
})
