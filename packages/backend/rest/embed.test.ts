import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openRest, type TestRest } from './testing/open-rest.ts'

let rest: TestRest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

describe('embedding', () => {
  it('embeds a to-one relation as object or null', async () => {
    expect(await rest.json('/films?select=id,directors!films_director_id_fkey(name)&order=id')).toEqual([
      { id: 1, directors: { name: 'Kubrick' } },
      { id: 2, directors: { name: 'Kubrick' } },
      { id: 3, directors: { name: 'Lynch' } },
    ])
    expect(await rest.json('/films?select=id,second:films_second_director_fkey(name)&order=id')).toEqual([
      { id: 1, second: null },
      { id: 2, second: { name: 'Lynch' } },
      { id: 3, second: null },
    ])
  })

  it('embeds a to-many relation as an array', async () => {
    expect(await rest.json('/directors?select=name,films!director_id(id)&order=id')).toEqual([
      { name: 'Kubrick', films: [{ id: 1 }, { id: 2 }] },
      { name: 'Lynch', films: [{ id: 3 }] },
      { name: 'Nobody', films: [] },
    ])
  })

  it('embeds a many-to-many relation through its join table', async () => {
    expect(await rest.json('/films?select=title,actors(name)&order=id')).toEqual([
      { title: '2001', actors: [{ name: 'Dullea' }] },
      { title: 'The Shining', actors: [{ name: 'Nicholson' }, { name: 'Duvall' }] },
      { title: 'Eraserhead', actors: [] },
    ])
    expect(await rest.json('/actors?select=name,films!roles(title)&id=eq.3')).toEqual([
      { name: 'Duvall', films: [{ title: 'The Shining' }] },
    ])
  })

  it('embeds a one-to-one relation from both sides', async () => {
    expect(await rest.json('/films?select=id,technical_specs(camera)&id=in.(1,3)&order=id')).toEqual([
      { id: 1, technical_specs: { camera: 'Super Panavision 70' } },
      { id: 3, technical_specs: null },
    ])
    expect(await rest.json('/technical_specs?select=camera,films(title)&film_id=eq.2')).toEqual([
      { camera: 'Arriflex', films: { title: 'The Shining' } },
    ])
  })

  it('resolves embeds by column, constraint or either end of a self-reference', async () => {
    expect(await rest.json('/films?select=director:director_id(name)&id=eq.1')).toEqual([
      { director: { name: 'Kubrick' } },
    ])
    expect(await rest.json('/employees?select=name,manager:manager_id(name)&id=eq.2')).toEqual([
      { name: 'Bob', manager: { name: 'Ann' } },
    ])
    expect(await rest.json('/employees?select=name,reports:employees(name)&id=eq.1')).toEqual([
      { name: 'Ann', reports: [{ name: 'Bob' }, { name: 'Cid' }] },
    ])
  })

  it('nests embeds of different cardinality', async () => {
    const select = 'name,films!films_director_id_fkey(title,actors(name),technical_specs(camera))'
    expect(await rest.json(`/directors?select=${select}&id=eq.1`)).toEqual([
      {
        name: 'Kubrick',
        films: [
          { title: '2001', actors: [{ name: 'Dullea' }], technical_specs: { camera: 'Super Panavision 70' } },
          {
            title: 'The Shining',
            actors: [{ name: 'Nicholson' }, { name: 'Duvall' }],
            technical_specs: { camera: 'Arriflex' },
          },
        ],
      },
    ])
  })

  it('applies filters, order and range to embedded rows by alias or name', async () => {
    const select = 'select=name,works:films!director_id(title)'
    expect(await rest.json(`/directors?${select}&works.order=title.desc&works.limit=1&id=eq.1`)).toEqual([
      { name: 'Kubrick', works: [{ title: 'The Shining' }] },
    ])
    expect(await rest.json(`/directors?${select}&works.title=eq.2001&order=id`)).toEqual([
      { name: 'Kubrick', works: [{ title: '2001' }] },
      { name: 'Lynch', works: [] },
      { name: 'Nobody', works: [] },
    ])
    expect(
      await rest.json(`/directors?${select}&films.or=(id.eq.1,title.like.E*)&films.offset=0&id=lt.3`),
    ).toEqual([
      { name: 'Kubrick', works: [{ title: '2001' }] },
      { name: 'Lynch', works: [{ title: 'Eraserhead' }] },
    ])
    expect(
      await rest.json('/directors?select=films!director_id(actors(name))&films.actors.name=like.N*&id=eq.1'),
    ).toEqual([{ films: [{ actors: [] }, { actors: [{ name: 'Nicholson' }] }] }])
  })

  it('drops parent rows without a match in an inner embed', async () => {
    expect(await rest.json('/directors?select=name,films!director_id!inner(title)&films.id=eq.3')).toEqual([
      { name: 'Lynch', films: [{ title: 'Eraserhead' }] },
    ])
    expect(await rest.json('/films?select=title,actors!inner()&actors.name=eq.Duvall')).toEqual([
      { title: 'The Shining' },
    ])
    const counted = await rest.request(
      '/films?select=id,directors!director_id!inner(name)&directors.name=eq.Lynch',
      {
        headers: { Prefer: 'count=exact' },
      },
    )
    expect(counted.headers.get('Content-Range')).toBe('0-0/1')
  })

  it.each([
    ['all of them', '', [1, 2]],
    ['the first', '&actors.limit=1', [1, 2]],
    ['none', '&actors.limit=0', []],
    ['the second and later ones', '&actors.offset=1', [2]],
    ['those of a name', '&actors.name=eq.Duvall', [2]],
  ])('drops and counts parent rows by the range of an inner embed: %s', async (_, part, ids) => {
    const response = await rest.request(`/films?select=id,actors!inner(name)&order=id${part}`, {
      headers: { Prefer: 'count=exact' },
    })

    const rows: { id: number }[] = JSON.parse(await response.text())
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(response.headers.get('Content-Range')?.split('/')[1]).toBe(String(ids.length))
    expect(await rest.json(`/films?select=id,actors!inner()&order=id${part}`)).toEqual(
      ids.map((id) => ({ id })),
    )
  })

  it('filters parent rows by the presence of embedded rows', async () => {
    expect(await rest.json('/films?select=id,actors()&actors=is.null')).toEqual([{ id: 3 }])
    expect(
      await rest.json('/films?select=id,technical_specs()&technical_specs=not.is.null&order=id'),
    ).toEqual([{ id: 1 }, { id: 2 }])
    expect(
      await rest.json(
        '/films?select=id,actors(),technical_specs()&or=(actors.is.null,technical_specs.is.null)',
      ),
    ).toEqual([{ id: 3 }])
    const counted = await rest.request('/films?select=id,actors()&actors=not.is.null&limit=1', {
      headers: { Prefer: 'count=exact' },
    })
    expect(counted.headers.get('Content-Range')).toBe('0-0/2')
  })

  it('orders the parent rows by a to-one column', async () => {
    const query = '/films?select=id,directors!director_id(name)&order=directors(name).desc,id.desc'
    expect(await rest.json(query)).toMatchObject([{ id: 3 }, { id: 2 }, { id: 1 }])
    expect(await rest.json('/films?select=id,actors(name)&order=actors(name)')).toMatchObject({
      code: 'PGRST118',
      message: "A related order on 'actors' is not possible",
    })
  })

  it('spreads to-one columns into the parent row and to-many columns as arrays', async () => {
    expect(
      await rest.json('/films?select=title,...directors!director_id(director:name,born)&id=eq.3'),
    ).toEqual([{ title: 'Eraserhead', director: 'Lynch', born: '1946-01-20' }])
    expect(
      await rest.json('/films?select=title,...actors(names:name,id)&actors.order=name&order=id'),
    ).toEqual([
      { title: '2001', names: ['Dullea'], id: [1] },
      { title: 'The Shining', names: ['Duvall', 'Nicholson'], id: [3, 2] },
      { title: 'Eraserhead', names: [], id: [] },
    ])
    expect(
      await rest.json(
        '/technical_specs?select=camera,...films(title,...directors!director_id(name))&film_id=eq.1',
      ),
    ).toEqual([{ camera: 'Super Panavision 70', title: '2001', name: 'Kubrick' }])
  })

  it('embeds views by the foreign keys of the underlying tables', async () => {
    expect(await rest.json('/live_films?select=name,directors(name)&id=eq.3')).toEqual([
      { name: 'Eraserhead', directors: { name: 'Lynch' } },
    ])
    expect(await rest.json('/directors?select=name,film_titles(name)&id=eq.2')).toEqual([
      { name: 'Lynch', film_titles: [{ name: 'Eraserhead' }] },
    ])
  })

  it('embeds the result of a function that takes the row', async () => {
    expect(await rest.json('/films?select=id,cast_of(name)&id=eq.2&cast_of.order=name')).toEqual([
      { id: 2, cast_of: [{ name: 'Duvall' }, { name: 'Nicholson' }] },
    ])
    expect(await rest.json('/films?select=id,main_actor(name)&order=id')).toEqual([
      { id: 1, main_actor: { name: 'Dullea' } },
      { id: 2, main_actor: { name: 'Nicholson' } },
      { id: 3, main_actor: null },
    ])
  })

  it('reads embedded tables with the caller’s privileges', async () => {
    await rest.database.owner.query('grant select (id) on public.secrets to anon')
    await rest.database.owner.query(
      'create table public.covers (id int primary key references public.secrets)',
    )
    await rest.database.owner.query(
      'grant select on public.covers to anon; insert into public.covers values (1)',
    )

    expect(await rest.json('/covers?select=secrets(body)')).toMatchObject({ code: '42501' })
    expect(await rest.json('/covers?select=secrets(id)')).toEqual([{ secrets: { id: 1 } }])
  })

  it('explains missing and ambiguous relationships in the error message', async () => {
    const none = await rest.request('/films?select=employees(name)')
    expect(none.status).toBe(400)
    expect(await none.json()).toEqual({
      code: 'PGRST200',
      message: "Could not find a relationship between 'films' and 'employees' in the schema cache",
      details:
        "Searched for a foreign key relationship between 'films' and 'employees' in the schema 'public', but no matches were found.",
      hint: null,
    })
    expect(await rest.json('/films?select=acters(name)')).toMatchObject({
      hint: "Perhaps you meant 'actors' instead of 'acters'.",
    })

    const several = await rest.request('/films?select=directors(name)')
    expect(several.status).toBe(300)
    expect(await several.json()).toEqual({
      code: 'PGRST201',
      message: "Could not embed because more than one relationship was found for 'films' and 'directors'",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'films with directors',
          relationship: 'films_director_id_fkey using films(director_id) and directors(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'films with directors',
          relationship: 'films_second_director_fkey using films(second_director_id) and directors(id)',
        },
      ],
      hint: "Try changing 'directors' to one of the following: 'directors!films_director_id_fkey', 'directors!films_second_director_fkey'. Find the desired relationship in the 'details' key.",
    })
  })

  it('refuses filters on missing embeds and unsuitable operators', async () => {
    expect(await rest.json('/films?select=id&actors.name=eq.x')).toMatchObject({
      code: 'PGRST108',
      message: "'actors' is not an embedded resource in this request",
    })
    expect(await rest.json('/films?select=actors(id),actors(name)')).toMatchObject({ code: '42712' })
    expect(await rest.json('/films?select=id,actors()&actors=eq.1')).toMatchObject({ code: 'PGRST120' })
  })

  it('embeds at most six levels deep', async () => {
    const nested = (levels: number): string =>
      levels === 0 ? 'id' : `id,${levels % 2 ? 'films' : 'actors'}(${nested(levels - 1)})`

    expect(await rest.json(`/films?select=${nested(6)}&id=eq.1`)).toMatchObject([{ id: 1 }])
    expect(await rest.json(`/films?select=${nested(7)}`)).toMatchObject({ code: 'PGRST100' })
  })
})

describe('a bare count while aggregates are off', () => {
  it('counts the embedded rows of each parent row', async () => {
    expect(await rest.json('/directors?select=name,films!director_id(count)&order=id')).toEqual([
      { name: 'Kubrick', films: [{ count: 2 }] },
      { name: 'Lynch', films: [{ count: 1 }] },
      { name: 'Nobody', films: [{ count: 0 }] },
    ])
    expect(await rest.json('/films?select=title,cast:actors(count)&id=eq.2')).toEqual([
      { title: 'The Shining', cast: [{ count: 2 }] },
    ])
  })

  it('counts the rows that match the filters with select=count', async () => {
    expect(await rest.json('/films?select=count')).toEqual([{ count: 3 }])
    expect(await rest.json('/films?select=n:count&id=gt.1')).toEqual([{ n: 2 }])
  })

  it('returns PostgreSQL’s error for other selected columns beside a count', async () => {
    expect(await rest.json('/films?select=title,count')).toMatchObject({ code: '42803' })
  })

  it('refuses the names of other functions as columns', async () => {
    expect(await rest.json('/films?select=max')).toMatchObject({ code: '42703' })
    expect(await rest.json('/films?select=pg_typeof')).toMatchObject({ code: '42703' })
  })
})
