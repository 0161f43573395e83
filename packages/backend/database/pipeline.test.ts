import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'

import { runPipeline, type Statement } from './pipeline.ts'

let test: TestDatabase
let client: PoolClient

beforeAll(async () => {
  test = await bareDatabase()
  await test.database.owner.query(
    'create table public.rows (id int primary key deferrable initially deferred)',
  )
})
afterAll(() => test.close())
beforeEach(async () => {
  client = await test.database.owner.connect()
})
afterEach(() => client.release())

const text = (sql: string, ...values: (string | null)[]): Statement => ({ text: sql, values })
const idsOf = async () =>
  (await runPipeline(client, [text('select id from public.rows order by id')]))[0]?.flat()

it('shares a connection with a second copy of the pipeline module', async () => {
  const address = './pipeline.ts?copy'
  const copy: { runPipeline: typeof runPipeline } = await import(address)

  const ours = await runPipeline(client, [text('select 1')])
  const theirs = await copy.runPipeline(client, [text('select 2')])

  expect([copy.runPipeline === runPipeline, ours, theirs]).toEqual([false, [[['1']]], [[['2']]]])
})

describe('runPipeline', () => {
  it('returns the rows of each statement in a pipeline as text', async () => {
    const rows = await runPipeline(client, [
      text('select $1::int + 1, null', '41'),
      text('select generate_series(1, 2)'),
      text('select where false'),
    ])

    expect(rows).toEqual([[['42', null]], [['1'], ['2']], []])
  })

  it('rolls back a whole pipeline on an error and keeps the connection usable', async () => {
    const failing = runPipeline(client, [
      text('insert into public.rows values (1)'),
      text('select 1 / $1::int', '0'),
    ])
    await expect(failing).rejects.toMatchObject({ code: '22012' })

    expect(await idsOf()).toEqual([])
    await runPipeline(client, [text('insert into public.rows values (2)'), text('select 1 / $1::int', '1')])
    expect(await idsOf()).toEqual(['2'])
  })

  it('rejects a pipeline when a deferred constraint fails at the end', async () => {
    const twice = [text('insert into public.rows values (3)'), text('insert into public.rows values (3)')]
    await expect(runPipeline(client, twice)).rejects.toMatchObject({ code: '23505' })

    expect(await idsOf()).toEqual(['2'])
  })

  it('discards local settings at the end of a pipeline', async () => {
    const [, [during] = []] = await runPipeline(client, [
      text(`select set_config('my.setting', $1, true)`, 'here'),
      text(`select current_setting('my.setting')`),
    ])
    const [[after] = []] = await runPipeline(client, [text(`select current_setting('my.setting', true)`)])

    expect([during, after]).toEqual([['here'], ['']])
  })

  it('leaves the transaction open after a pipeline with an explicit BEGIN', async () => {
    await runPipeline(client, [text('begin'), text('insert into public.rows values (4)')])
    expect(await idsOf()).toEqual(['2', '4'])
    await runPipeline(client, [text('rollback')])

    expect(await idsOf()).toEqual(['2'])
  })

  it('caches up to a hundred prepared statements and drops failed ones', async () => {
    const prepared = async () =>
      (await client.query('select count(*)::int as count from pg_prepared_statements')).rows[0].count
    client.release(true)
    client = await test.database.owner.connect()

    for (let round = 0; round < 3; round += 1) await runPipeline(client, [text('select $1::text', 'same')])
    expect(await prepared()).toBe(1)
    for (let round = 0; round < 3; round += 1) {
      await expect(runPipeline(client, [text('select nonsense')])).rejects.toMatchObject({ code: '42703' })
      await expect(runPipeline(client, [text('select 1 / $1::int', '0')])).rejects.toMatchObject({
        code: '22012',
      })
    }
    expect(await prepared()).toBeLessThanOrEqual(2)
    for (let n = 0; n < 150; n += 1) await runPipeline(client, [text(`select ${n}`)])
    expect(await prepared()).toBe(100)
  })

  it('prepares the same statement separately for different variants', async () => {
    const [[one] = []] = await runPipeline(client, [text('select current_user')], 'a')
    const [[other] = []] = await runPipeline(client, [text('select current_user')], 'b')

    expect(one).toEqual(other)
    expect(await idsOf()).toEqual(['2'])
  })

  it('rejects a pipeline when the connection breaks', async () => {
    const doomed = await test.database.owner.connect()
    const ending = runPipeline(doomed, [text('select pg_terminate_backend(pg_backend_pid())')])

    await expect(ending).rejects.toThrow()
    doomed.release(true)
  })

  it('refuses a COPY statement in a pipeline', async () => {
    await expect(runPipeline(client, [text('copy public.rows from stdin')])).rejects.toThrow(
      'COPY is not supported',
    )
  })
})
