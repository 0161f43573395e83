/** A table's columns may have any name that the generated SQL uses itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type TestRest } from './testing/open-rest.ts'
import { sqlWords } from './testing/sql-words.ts'

type Row = Record<string, unknown>

const words = (await sqlWords()).filter((word) => word !== 'id' && word !== 'parent_id')
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
/** Short values, because a row of so many columns must fit into a database page. */
const valuesOf = (id: number): Row =>
  Object.fromEntries(words.map((word, index) => [word, `${id}${index.toString(36)}`]))
const rowOf = (id: number): Row => ({ id, ...valuesOf(id) })
const chunks = (size: number) =>
  Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size),
  )
const pick = (row: Row, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

let rest: TestRest
beforeAll(async () => {
  rest = await openRest()
  const { owner } = rest.database
  const columns = words.map((word) => `"${word}" text`).join(', ')
  const keys = chunks(30).map((names, index) => {
    const list = names.map((name) => `"${name}" text`).join(', ')
    return `create table public.keyed_${index} (${list}, primary key (${quoted(names)}));`
  })
  await owner.query(`
    create table public.words (id int primary key, ${columns});
    create table public.kids (id int primary key, parent_id int references public.words, ${columns});
    create table public.tags (id int primary key, ${columns});
    create table public.tagged (word_id int references public.words, tag_id int references public.tags,
      primary key (word_id, tag_id), ${columns});
    ${keys.join('\n')}
    create function public.all_words() returns setof public.words language sql stable as 'table public.words';
    create function public.table_of_words() returns table (${columns}) language sql stable
      as $$ select ${quoted(words)} from public.words where id = 1 $$;
    create function public.echo_words(given json) returns json language sql as 'select given';
    ${chunks(90)
      .map(
        (names, index) =>
          `create function public.take_${index}(${names.map((name) => `"${name}" text`).join(', ')}) returns setof text language sql as $$ select unnest(array[${names.map((_, place) => `$${place + 1}`).join(', ')}]) $$;`,
      )
      .join('\n')}
    grant all on all tables in schema public to anon`)
  for (const table of ['words', 'kids', 'tags'])
    for (const id of [1, 2])
      await owner.query(
        `insert into public.${table} select * from json_populate_record(null::public.${table}, $1)`,
        [{ ...rowOf(id), ...(table === 'kids' && { parent_id: 1 }) }],
      )
  await owner.query(`insert into public.tagged select * from json_populate_record(null::public.tagged, $1)`, [
    { ...valuesOf(1), word_id: 1, tag_id: 2 },
  ])
})
afterAll(() => rest.close())

const url = (path: string, parameters: Record<string, string> = {}) =>
  `${path}?${new URLSearchParams(parameters)}`
const read = (path: string, parameters?: Record<string, string>, headers = {}) =>
  rest.json(url(path, parameters), { headers })
const send = async (call: string, body: unknown, prefer = 'return=representation') => {
  const [method = '', path = ''] = call.split(' ')
  const answer = await rest.request(path, {
    method,
    headers: { Prefer: prefer },
    ...(body !== null && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    location: answer.headers.get('Location'),
    body: text ? JSON.parse(text) : null,
  }
}

describe('a table whose columns have all names in our SQL', () => {
  it('collects the internal names of the generated SQL for the tests', () => {
    expect(words).toEqual(
      expect.arrayContaining(['page', 'rows', 'key', 'element', 'source', 'keys', 'is_full', 'n']),
    )
  })

  it('reads rows, objects and CSV from a table with internal SQL names', async () => {
    expect(await read('/words', { order: 'id' })).toEqual([rowOf(1), rowOf(2)])
    expect(await read('/words', { id: 'eq.1' }, { Accept: 'application/vnd.pgrst.object+json' })).toEqual(
      rowOf(1),
    )
    const csv = await (await rest.request('/words?id=eq.1', { headers: { Accept: 'text/csv' } })).text()
    expect(csv).toBe(`id,${words.join(',')}\n${Object.values(rowOf(1)).join(',')}`)
  })

  it.each(chunks(400))(
    'reads each column with an internal SQL name, also under an alias',
    async (...names) => {
      expect(await read('/words', { id: 'eq.1', select: quoted(names) })).toEqual([pick(rowOf(1), names)])
      const aliases = names.map((name) => `"${name}":id`).join(',')
      expect(await read('/words', { id: 'eq.1', select: aliases })).toEqual([
        Object.fromEntries(names.map((name) => [name, 1])),
      ])
    },
  )

  it.each(chunks(90))(
    'filters, orders and counts by each column with an internal SQL name',
    async (...names) => {
      const filter = `(${names.map((name) => `"${name}".eq.${String(rowOf(2)[name])}`).join(',')})`
      const order = names.map((name) => `"${name}".desc`).join(',')
      for (const count of ['exact', 'planned', 'estimated']) {
        const answer = await rest.request(url('/words', { and: filter, order, select: 'id' }), {
          headers: { Prefer: `count=${count}` },
        })
        expect(await answer.json()).toEqual([{ id: 2 }])
        expect(answer.headers.get('Content-Range')).toMatch(/^0-0\/\d+$/)
      }
    },
  )

  it('embeds, spreads and joins a table with internal SQL names in every direction', async () => {
    const kids = [1, 2].map((id) => ({ ...rowOf(id), parent_id: 1 }))
    expect(await read('/words', { select: '*,kids(*)', id: 'eq.1' })).toEqual([{ ...rowOf(1), kids }])
    expect(await read('/kids', { select: '*,words!inner(*)', id: 'eq.2', 'words.id': 'eq.1' })).toEqual([
      { ...kids[1], words: rowOf(1) },
    ])
    expect(await read('/kids', { select: '...words(*)', id: 'eq.2' })).toEqual([rowOf(1)])
    expect(await read('/words', { select: `...kids(${quoted(words.slice(0, 900))})`, id: 'eq.1' })).toEqual([
      Object.fromEntries(words.slice(0, 900).map((word) => [word, kids.map((kid: Row) => kid[word])])),
    ])
    expect(await read('/words', { select: '*,tags!inner(*)' })).toEqual([{ ...rowOf(1), tags: [rowOf(2)] }])
    expect(await read('/kids', { select: '*,words()', words: 'not.is.null', id: 'eq.1' })).toEqual([kids[0]])
    expect(await read('/words', { select: '*,kids()', kids: 'is.null' })).toEqual([rowOf(2)])
  })

  it.each(chunks(30))(
    'embeds a table under each internal SQL name and orders by the embed',
    async (...names) => {
      const select = names.map((name) => `"${name}":words("${name}")`).join(',')
      const order = names.map((name) => `"${name}"("${name}")`).join(',')
      expect(await read('/kids', { select, order, id: 'eq.1' })).toEqual([
        Object.fromEntries(names.map((name) => [name, pick(rowOf(1), [name])])),
      ])
      const lists = names.map((name) => `"${name}":kids("${name}")`).join(',')
      expect(await read('/words', { select: lists, id: 'eq.1' })).toEqual([
        Object.fromEntries(names.map((name) => [name, [1, 2].map((id) => pick(rowOf(id), [name]))])),
      ])
    },
  )

  it.each(['return=representation', 'return=representation,missing=default'])(
    'writes rows of a table with internal SQL names with %s',
    async (prefer) => {
      const merge = `${prefer},resolution=merge-duplicates`
      expect(await send('POST /words', [rowOf(7), rowOf(8)], prefer)).toMatchObject({
        status: 201,
        body: [rowOf(7), rowOf(8)],
      })
      expect(await send('POST /words', { ...valuesOf(9), id: 7 }, merge)).toMatchObject({
        status: 200,
        body: [{ ...valuesOf(9), id: 7 }],
      })
      expect(await send('PATCH /words?id=eq.7', valuesOf(6), prefer)).toMatchObject({
        status: 200,
        body: [{ ...valuesOf(6), id: 7 }],
      })
      expect(await send('PATCH /words?id=eq.7', [valuesOf(5)], prefer)).toMatchObject({
        status: 200,
        body: [{ ...valuesOf(5), id: 7 }],
      })
      const gone = await send('DELETE /words?id=in.(7,8)', null, prefer)
      expect(gone).toMatchObject({ status: 200 })
      expect(gone.body).toHaveLength(2)
    },
  )

  it.each(chunks(30).map((names, index) => [index, names] as const))(
    'returns the location of a new row by the primary key, table %i',
    async (index, names) => {
      const { status, location } = await send(
        `POST /keyed_${index}`,
        pick(rowOf(1), names),
        'return=headers-only',
      )

      const located = new URLSearchParams(location?.split('?')[1])
      expect(status).toBe(201)
      expect(Object.fromEntries(located)).toEqual(
        Object.fromEntries(names.map((name) => [name, `eq.${String(rowOf(1)[name])}`])),
      )
    },
  )

  it('escapes the key in the location of a new row', async () => {
    const [names = []] = chunks(30)
    const key = { ...pick(rowOf(2), names), [names[0] ?? '']: 'a&b=ü' }

    const { location } = await send('POST /keyed_0', key, 'return=headers-only')

    expect(Object.fromEntries(new URLSearchParams(location?.split('?')[1]))).toEqual(
      Object.fromEntries(names.map((name) => [name, `eq.${String(key[name])}`])),
    )
  })

  it('returns rows from functions of a table with internal SQL names', async () => {
    expect(await read('/rpc/all_words', { order: 'id' })).toEqual([rowOf(1), rowOf(2)])
    expect(await read('/rpc/table_of_words')).toEqual([valuesOf(1)])
    expect((await send('POST /rpc/echo_words', { given: rowOf(1) })).body).toEqual(rowOf(1))
  })

  it.each(chunks(90).map((names, index) => [index, names] as const))(
    'passes arguments with internal SQL names to a function, group %i',
    async (index, names) => {
      const values = names.map((name) => rowOf(1)[name])
      expect((await send(`POST /rpc/take_${index}`, pick(rowOf(1), names))).body).toEqual(values)
      expect((await send(`POST /rpc/take_${index}`, [pick(rowOf(1), names)])).body).toEqual(values)
    },
  )
})

it.each(['"\u001fpage":id', 'id,"x\u001f":id', 'data->\u001fpage', 'data->"\u001fpage"'])(
  'refuses the select %j, which uses a reserved name',
  async (select) => {
    const answer = await rest.request(url('/films', { select }))

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'PGRST100' })
  },
)
