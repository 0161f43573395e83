import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { openRest, type TestRest } from './testing/open-rest.ts'

let rest: TestRest
beforeAll(async () => {
  rest = await openRest()
  await asOperator(
    `alter role authenticator in database ${databaseName()} set pgrst.db_aggregates_enabled = 'true'`,
  )
})
afterAll(() => rest.close())

function databaseName(): string {
  return new URL(rest.url).pathname.slice(1)
}

/** Only a superuser may alter the role `authenticator`. */
async function asOperator(text: string): Promise<void> {
  const client = new Client({ connectionString: inject('superuserUrl') })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

describe('aggregates that a setting allows', () => {
  it.each([
    ['count()', [{ count: 3 }]],
    ['total:count()', [{ total: 3 }]],
    ['count()::text', [{ count: '3' }]],
    ['price.count()', [{ count: 2 }]],
    ['price.sum()', [{ sum: 18.5 }]],
    ['price.avg()', [{ avg: 9.25 }]],
    ['price.min(),most:price.max()', [{ min: 8, most: 10.5 }]],
    ['total:price.sum()::text', [{ total: '18.50' }]],
    ['price::int.sum()', [{ sum: 19 }]],
    ['data->length::int.max()', [{ max: 149 }]],
  ])('computes the aggregate %s of all rows', async (select, rows) => {
    expect(await rest.json(`/films?select=${select}`)).toEqual(rows)
  })

  it('groups aggregates by every other selected column', async () => {
    expect(await rest.json('/films?select=director_id,count(),price.sum()&order=director_id')).toEqual([
      { director_id: 1, count: 2, sum: 18.5 },
      { director_id: 2, count: 1, sum: null },
    ])
    expect(await rest.json('/films?select=by:director_id,count()&order=director_id.desc')).toEqual([
      { by: 2, count: 1 },
      { by: 1, count: 2 },
    ])
    expect(await rest.json('/films?select=colour:data->>colour,count()&data->>colour=eq.red')).toEqual([
      { colour: 'red', count: 1 },
    ])
    expect(await rest.json('/actors?select=*,count()&id=eq.1')).toEqual([{ id: 1, name: 'Dullea', count: 1 }])
  })

  it('aggregates only the filtered rows and pages the groups', async () => {
    expect(await rest.json('/films?select=count()&id=gt.1')).toEqual([{ count: 2 }])
    expect(await rest.json('/films?select=director_id,count()&order=director_id&limit=1&offset=1')).toEqual([
      { director_id: 2, count: 1 },
    ])
  })

  it('aggregates the embedded rows of each parent row', async () => {
    expect(
      await rest.json('/directors?select=name,films!director_id(price.sum(),views.min(),count())&order=id'),
    ).toEqual([
      { name: 'Kubrick', films: [{ sum: 18.5, min: 5, count: 2 }] },
      { name: 'Lynch', films: [{ sum: null, min: 7, count: 1 }] },
      { name: 'Nobody', films: [{ sum: null, min: null, count: 0 }] },
    ])
  })

  it('groups aggregates by an embedded to-one row', async () => {
    expect(
      await rest.json('/films?select=count(),director:directors!director_id(name)&order=director_id'),
    ).toMatchObject({ code: '42803' })
    const rows = await rest.json('/films?select=count(),director:directors!director_id(name)')
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { count: 2, director: { name: 'Kubrick' } },
        { count: 1, director: { name: 'Lynch' } },
      ]),
    )
  })

  it('aggregates a spread to-one relation over the parent’s rows', async () => {
    expect(
      await rest.json('/roles?select=actor_id.max(),...films(title,price.sum(),count())&order=films(title)'),
    ).toEqual([
      { max: 1, title: '2001', sum: 10.5, count: 1 },
      { max: 3, title: 'The Shining', sum: 16, count: 2 },
    ])
    expect(await rest.json('/roles?select=...films(price.sum())')).toEqual([{ sum: 26.5 }])
  })

  it('aggregates through nested spreads with equal aggregate names', async () => {
    const spread = '...films(total:price.sum(),...directors!director_id(name,directors:count()))'
    expect(await rest.json(`/roles?select=${spread}`)).toEqual([
      { name: 'Kubrick', total: 26.5, directors: 3 },
    ])
    const cast = 'name,roles(...films(...directors!director_id(name,count())))'
    expect(await rest.json(`/actors?select=${cast}&order=id&limit=1`)).toEqual([
      { name: 'Dullea', roles: [{ name: 'Kubrick', count: 1 }] },
    ])
  })

  it('refuses aggregates in a spread to-many relation', async () => {
    expect(await rest.json('/directors?select=name,...films!director_id(price.sum())')).toEqual({
      code: 'PGRST127',
      message: 'Feature not implemented',
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
      hint: null,
    })
  })

  it('aggregates the rows that a write returns', async () => {
    const written = await rest.json('/items?select=count(),quantity.sum()', {
      method: 'POST',
      caller: { role: 'service_role' },
      headers: { Prefer: 'return=representation', 'Content-Type': 'application/json' },
      body: JSON.stringify([{ quantity: 2 }, { quantity: 3 }]),
    })
    expect(written).toEqual([{ count: 2, sum: 5 }])
  })

  it('refuses aggregates of unsuitable types and unknown aggregates', async () => {
    expect(await rest.json('/films?select=title.sum()')).toMatchObject({ code: '42883' })
    expect(await rest.json('/films?select=price.stddev()')).toMatchObject({ code: 'PGRST100' })
    expect(await rest.json('/films?select=price.sum()::nonsense')).toMatchObject({ code: '42704' })
  })

  it('refuses aggregates after the operator removes the setting', async () => {
    await asOperator(
      `alter role authenticator in database ${databaseName()} reset pgrst.db_aggregates_enabled`,
    )
    await rest.database.owner.query(`notify pgrst, 'reload config'`)

    await expect.poll(() => rest.json('/films?select=count()')).toMatchObject({ code: 'PGRST123' })
    await asOperator(`alter database ${databaseName()} set pgrst.db_aggregates_enabled = 'on'`)
    await rest.database.owner.query(`notify pgrst, 'reload config'`)
    await expect.poll(() => rest.json('/films?select=count()')).toEqual([{ count: 3 }])
  })
})
