import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlWords } from '#backend/rest/testing/sql-words.ts'
import { eventually, openRealtime, watch, type TestRealtime } from './testing/open-realtime.ts'

type Row = Record<string, unknown>

const words = (await sqlWords()).filter((word) => word !== 'id')
const columns = words.map((word) => `"${word}" text`).join(', ')
/** Short values, because a row with so many columns must fit into a database page. */
const rowOf = (id: number, text: string): Row => ({
  id,
  ...Object.fromEntries(words.map((word) => [word, text])),
})

let test: TestRealtime
beforeAll(async () => {
  test = await openRealtime(`
    create table public.words (id int primary key, ${columns});
    create table public.whole_words (id int primary key, ${columns});
    alter table public.whole_words replica identity full;
    grant select on public.words, public.whole_words to anon;
    alter publication supabase_realtime add table public.words, public.whole_words`)
})
afterAll(() => test.close())

it.each([
  ['words', { id: 1 }, { id: 1 }],
  ['whole_words', rowOf(1, 'a'), rowOf(1, 'b')],
])(
  'delivers every change of a table that uses names of the service’s SQL as columns: %s',
  async (table, before, last) => {
    const client = test.server.client()
    const received = watch(client.channel('room'), { event: '*', schema: 'public', table })
    await eventually(() => expect(received.system.map(({ status }) => status)).toEqual(['ok']))

    await test.sql(
      `insert into public.${table} select * from json_populate_record(null::public.${table}, $1)`,
      [rowOf(1, 'a')],
    )
    await test.sql(`update public.${table} set ${words.map((word) => `"${word}" = 'b'`).join(', ')}`)
    await test.sql(`delete from public.${table}`)

    await eventually(() => expect(received.changes).toHaveLength(3))
    const changes = received.changes.map(({ eventType, new: row, old }) => ({ eventType, row, old }))
    expect(changes).toEqual([
      { eventType: 'INSERT', row: rowOf(1, 'a'), old: {} },
      { eventType: 'UPDATE', row: rowOf(1, 'b'), old: before },
      { eventType: 'DELETE', row: {}, old: last },
    ])
  },
)

it('filters changes by columns that have names of the service’s SQL', async () => {
  const names = [
    'n',
    'e',
    'f',
    'r',
    'keys',
    'record',
    'entry',
    'filter',
    'row',
    'number',
    'position',
    'wanted',
  ]
  const received = await Promise.all(
    names.map(async (name) => {
      const filter = { event: '*', schema: 'public', table: 'words', filter: `${name}=eq.z` }
      const client = test.server.client()
      const listening = watch(client.channel(`room-${name}`), filter)
      await eventually(() => expect(listening.system.map(({ status }) => status)).toEqual(['ok']))
      return listening
    }),
  )
  expect(words).toEqual(expect.arrayContaining(names))

  await test.sql('insert into public.words select * from json_populate_record(null::public.words, $1)', [
    rowOf(2, 'z'),
  ])

  for (const each of received) await eventually(() => expect(each.changes).toHaveLength(1))
})
