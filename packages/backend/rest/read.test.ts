import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openRest, type TestRest } from './testing/open-rest.ts'

let rest: TestRest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** Returns the ids of the query's rows, or the error. */
async function idsOf(query: string): Promise<unknown> {
  const rows = await rest.json(`/films?select=id&${query}`)
  return Array.isArray(rows) ? rows.map(({ id }) => id) : rows
}
const ids = (query: string) => idsOf(`order=id&${query}`)
const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index))
const sorted = (order: string) => idsOf(`order=${order}`)

describe('columns', () => {
  it('returns column values in PostgreSQL’s own JSON format', async () => {
    const response = await rest.request('/films?id=eq.1')

    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    const text = await response.text()
    expect(text).toContain('"views":9007199254740993')
    expect(text).toContain('"price":10.50')
    expect(text).toContain('"released":"1968-04-02T12:00:00+00:00"')
  })

  it('renames and casts the selected columns', async () => {
    expect(await rest.json('/films?select=number:id::text,title&id=eq.3')).toEqual([
      { number: '3', title: 'Eraserhead' },
    ])
    expect(await rest.json('/films?select=price::integer,v:views::double precision&id=eq.2')).toEqual([
      { price: 8, v: 5 },
    ])
  })

  it('selects values inside a JSON column', async () => {
    const select = 'data->length,colour:data->>colour,data->crew->0->>name,tags->0,data->crew->0'
    expect(await rest.json(`/films?select=${select}&id=eq.1`)).toEqual([
      { length: 149, colour: 'white', name: 'Unsworth', tags: 'space', crew: { name: 'Unsworth' } },
    ])
  })

  it('reads tables and columns whose names need quotes', async () => {
    expect(
      await rest.json(`/${encodeURIComponent('Odd Name')}?select="a,b",x:"quo\\"te"&"the id"=eq.1`),
    ).toEqual([{ 'a,b': 'x,y', x: 'a"b' }])
  })

  it('treats a quoted value of a list as one value', async () => {
    const path = '/Odd%20Name?select="the id"&"quo\\"te"=in.'

    expect(await rest.json(`${path}("a\\"b",c)`)).toEqual([{ 'the id': 1 }])
    expect(await rest.json(`${path}("a\\"b,c")`)).toEqual([])
  })

  it('selects and filters a computed column', async () => {
    expect(await rest.json('/films?select=upper_title&upper_title=eq.ERASERHEAD')).toEqual([
      { upper_title: 'ERASERHEAD' },
    ])
  })

  it('reports an unknown column with PostgreSQL’s message', async () => {
    const response = await rest.request('/films?select=nonsense')

    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      code: '42703',
      message: 'column films.nonsense does not exist',
      details: null,
      hint: null,
    })
    expect(await rest.json('/films?select=id::nonsense')).toMatchObject({ code: '42704' })
  })
})

describe('filters', () => {
  it.each([
    ['id=eq.2', [2]],
    ['id=neq.2', [1, 3]],
    ['id=gt.1', [2, 3]],
    ['id=gte.2', [2, 3]],
    ['id=lt.2', [1]],
    ['id=lte.2', [1, 2]],
    ['title=like.*in*', [2]],
    ['title=ilike.THE%25', [2]],
    ['title=match.^[0-9]', [1]],
    ['title=imatch.^the', [2]],
    ['price=is.null', [3]],
    ['price=is.not_null', [1, 2]],
    ['is_live=is.true', [1]],
    ['is_live=is.FALSE', [2]],
    ['is_live=is.unknown', [3]],
    ['is_live=not.is.true', [2, 3]],
    ['id=in.(1,3)', [1, 3]],
    ['id=in.()', []],
    ['title=in.("The Shining",2001)', [1, 2]],
    ['tags=cs.{horror}', [2]],
    ['tags=cs.{"slow, long"}', [1]],
    ['tags=cd.{horror,comedy}', [2, 3]],
    ['tags=ov.{horror,space}', [1, 2]],
    ['data=cs.{"colour":"red"}', [2]],
    ['data->>colour=eq.red', [2]],
    ['data->length=gt.146', [1]],
    ['shown=ov.[2020-01-10,2020-01-12]', [1]],
    ['shown=sl.[2020-06-01,2020-07-01]', [1, 2]],
    ['shown=adj.[2020-03-01,2020-04-01]', [2]],
    ['title=fts.shining', [2]],
    ['title=plfts(english).shine', [2]],
    ['id=in.( 1, 2 )', [1, 2]],
    ['id=in.(  )', []],
    ['price=isdistinct.8', [1, 3]],
    ['title=eq(any).{2001,Eraserhead}', [1, 3]],
    ['title=like(all).{*h*,*S*}', [2]],
    ['id=not.in.(1,2)', [3]],
    ['id=gt.1&id=lt.3', [2]],
    ['or=(id.eq.1,title.eq.Eraserhead)', [1, 3]],
    ['or=(id.eq.1,and(id.gt.2,price.is.null))', [1, 3]],
    ['not.or=(id.eq.1,id.eq.2)', [3]],
    ['and=(id.gt.1,not.and(id.eq.2,price.eq.8))', [3]],
    ['or=(title.eq."The Shining",tags.cs.{space})', [1, 2]],
    ['or=(id.in.(1,2),title.like.E*)', [1, 2, 3]],
    ['or=(data->>colour.eq.red,id.not.lt.3)', [2, 3]],
  ])('returns the matching rows for the filter %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it.each([
    ['id=noop.1', '"failed to parse filter (noop.1)" (line 1, column 1)'],
    ['id=eq', '"failed to parse filter (eq)" (line 1, column 1)'],
    ['or=id.eq.1', '"failed to parse logic tree (id.eq.1)" (line 1, column 1)'],
    ['or=()', '"failed to parse logic tree (())" (line 1, column 2)'],
    ['is_live=is.maybe', '"failed to parse filter (is.maybe)" (line 1, column 9)'],
    ['order=id.sideways', '"failed to parse order (id.sideways)" (line 1, column 3)'],
    ['select=id(', '"failed to parse select parameter (id()" (line 1, column 4)'],
  ])('refuses the malformed parameter %s', async (query, message) => {
    const response = await rest.request(`/films?${query}`)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'PGRST100',
      message,
      details: expect.any(String),
      hint: null,
    })
  })

  it('returns PostgreSQL’s error for an unsuitable value', async () => {
    expect(await rest.json('/films?id=eq.one')).toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type integer: "one"',
    })
    expect(await rest.json('/films?id=like.1*')).toMatchObject({ code: '42883' })
    expect(await rest.json('/films?title=eq.%00')).toMatchObject({ code: '22021' })
  })
})

describe('order and range', () => {
  it('sorts rows by several columns and places nulls first or last', async () => {
    expect(await sorted('price.desc.nullslast')).toEqual([1, 2, 3])
    expect(await sorted('price.asc.nullsfirst')).toEqual([3, 2, 1])
    expect(await sorted('price.nullsfirst,id')).toEqual([3, 2, 1])
    expect(await sorted('data->>length.desc.nullslast,id')).toEqual([1, 2, 3])
    expect(await sorted('director_id.desc,id.desc')).toEqual([3, 2, 1])
  })

  it('pages rows by limit and offset or the Range header', async () => {
    const page = await rest.request('/films?select=id&order=id&limit=1&offset=1')
    expect(await page.json()).toEqual([{ id: 2 }])
    expect([page.status, page.headers.get('Content-Range')]).toEqual([200, '1-1/*'])

    const ranged = await rest.request('/films?select=id&order=id', { headers: { Range: '1-9' } })
    expect(await ranged.json()).toEqual([{ id: 2 }, { id: 3 }])
    expect(await rest.json('/films?limit=0')).toEqual([])
  })

  it.each([
    ['exact', '', 200, '0-2/3'],
    ['exact', '&limit=2', 206, '0-1/3'],
    ['exact', '&id=eq.99', 200, '*/0'],
    ['estimated', '&limit=1', 206, '0-0/3'],
  ])('returns the %s count for the query "%s"', async (...[count, query, status, range]) => {
    const response = await rest.request(`/films?select=id${query}`, { headers: { Prefer: `count=${count}` } })

    expect([response.status, response.headers.get('Content-Range')]).toEqual([status, range])
    expect(response.headers.get('Preference-Applied')).toBe(`count=${count}`)
  })

  it('returns the planner’s estimate as the planned count', async () => {
    const response = await rest.request('/films?select=id', { headers: { Prefer: 'count=planned' } })

    expect(response.headers.get('Content-Range')).toMatch(/^0-2\/\d+$/)
  })

  it.each([
    ['planned', '', '0-9/20'],
    ['planned', '&limit=1', '0-0/20'],
    ['planned', '&id=eq.99999', '*/0'],
    ['estimated', '&limit=1', '0-0/20'],
  ])('counts exactly for the %s count of the query "%s" without the right to estimates', async (...given) => {
    const [count, query, range] = given
    const careful = await openRest({ maxRows: 10, privileged: 'false' })
    // The planner expects a third of the rows.
    await careful.database.owner.query(`create table guarded (id int primary key);
      insert into guarded select generate_series(1, 2000); analyze guarded;
      alter table guarded enable row level security;
      create policy few on guarded using (id + 0 <= 20);
      grant select on guarded to anon; notify pgrst`)

    const response = await careful.request(`/guarded?select=id${query}`, {
      headers: { Prefer: `count=${count}` },
    })

    expect(response.headers.get('Content-Range')).toBe(range)
    await careful.close()
  })

  it('refuses an offset beyond the last row and a negative limit', async () => {
    const beyond = await rest.request('/films?offset=9', { headers: { Prefer: 'count=exact' } })
    expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, '*/3'])
    expect(beyond.headers.get('Proxy-Status')).toBe('PostgREST; error=PGRST103')
    expect(await beyond.json()).toEqual({
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: 'An offset of 9 was requested, but there are only 3 rows.',
      hint: null,
    })
    expect((await rest.request('/films?limit=-1')).status).toBe(416)
    expect((await rest.request('/films', { headers: { Range: '5-2' } })).status).toBe(416)
  })

  it('returns the last page even if the planner’s estimate is lower', async () => {
    const limited = await openRest({ maxRows: 100 })
    // The planner takes the two equal columns for independent and expects a third of a third.
    await limited.database.owner.query(`create table alike (id int primary key, one int, other int);
      insert into alike select n, n % 3, n % 3 from generate_series(1, 3000) n;
      analyze alike; grant select on alike to anon; notify pgrst`)

    const last = await limited.request('/alike?one=eq.0&other=eq.0&order=id&limit=10&offset=990', {
      headers: { Prefer: 'count=estimated' },
    })

    expect(await last.json()).toHaveLength(10)
    expect(last.status).toBeLessThan(300)
    await limited.close()
  })

  it('returns an estimated total above the row limit until the last page shows the total', async () => {
    const limited = await openRest({ maxRows: 100 })
    // The planner's estimate comes from the statistics before the delete.
    await limited.database.owner
      .query(`create table crowd (id int primary key, note text) with (autovacuum_enabled = off);
      insert into crowd select n, case when n % 2 = 0 then '100% off, ''tis true' end from generate_series(1, 3000) n;
      analyze crowd; delete from crowd where id > 400; grant select on crowd to anon; notify pgrst`)
    const total = async (query: string) =>
      (
        await limited.request(`/crowd?order=id${query}`, { headers: { Prefer: 'count=estimated' } })
      ).headers.get('Content-Range')

    expect(await total('&limit=10')).toBe('0-9/3000')
    expect(await total(`&limit=10&note=eq.${encodeURIComponent("100% off, 'tis true")}`)).toBe('0-9/1500')
    expect(await total('&limit=20&offset=390')).toBe('390-399/400')
    expect(await total('&limit=10&note=eq.none')).toBe('*/0')
    // Estimates near the limit: both are counted.
    expect(await total('&limit=10&id=lt.90')).toBe('0-9/89')
    expect(await total('&limit=10&id=gt.340&id=lt.401')).toBe('0-9/60')
    await limited.close()
  })

  it('returns the headers of GET for a HEAD request', async () => {
    const response = await rest.request('/films', { method: 'HEAD', headers: { Prefer: 'count=exact' } })

    expect([response.status, response.headers.get('Content-Range')]).toEqual([200, '0-2/3'])
    expect(await response.text()).toBe('')
  })

  it('limits the rows to the server’s maximum and counts all rows', async () => {
    const limited = await openRest({ maxRows: 2 })

    const response = await limited.request('/films?select=id', { headers: { Prefer: 'count=exact' } })

    expect(await response.json()).toHaveLength(2)
    expect([response.status, response.headers.get('Content-Range')]).toEqual([206, '0-1/3'])
    const estimated = await limited.request('/films?select=id', { headers: { Prefer: 'count=estimated' } })
    expect(Number(estimated.headers.get('Content-Range')?.split('/')[1])).toBeGreaterThanOrEqual(3)
    await limited.close()
  })
})

describe('media types', () => {
  it('returns a single object only if exactly one row matches', async () => {
    const headers = { Accept: 'application/vnd.pgrst.object+json' }
    const one = await rest.request('/films?select=id&id=eq.1', { headers })
    expect(one.headers.get('Content-Type')).toBe('application/vnd.pgrst.object+json; charset=utf-8')
    expect(await one.json()).toEqual({ id: 1 })

    const none = await rest.request('/films?select=id&id=eq.99', { headers })
    expect(none.status).toBe(406)
    expect(await none.json()).toEqual({
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 0 rows',
      hint: null,
    })
    expect(await rest.json('/films?select=id', { headers })).toMatchObject({
      details: 'The result contains 3 rows',
    })
  })

  it('strips nulls with the parameter nulls=stripped', async () => {
    const headers = { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' }
    expect(await rest.json('/films?select=id,price&id=eq.3', { headers })).toEqual([{ id: 3 }])
  })

  it('returns the rows as CSV', async () => {
    const response = await rest.request('/films?select=id,title,price,tags&order=id', {
      headers: { Accept: 'text/csv' },
    })

    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(await response.text()).toBe(
      'id,title,price,tags\n1,2001,10.50,"{space,""slow, long""}"\n2,"The Shining",8.00,{horror}\n3,Eraserhead,,{}',
    )
  })

  it.each(['application/vnd.pgrst.plan+text', 'application/geo+json', 'application/xml'])(
    'refuses the media type %s',
    async (type) => {
      const response = await rest.request('/films', { headers: { Accept: type } })

      expect(response.status).toBe(406)
      expect(await response.json()).toMatchObject({
        code: 'PGRST107',
        message: `None of these media types are available: ${type}`,
      })
    },
  )
})

describe('missing resources', () => {
  it('suggests a similar name for an unknown table', async () => {
    const response = await rest.request('/flims')

    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      code: 'PGRST205',
      message: "Could not find the table 'public.flims' in the schema cache",
      details: null,
      hint: null,
    })
    expect(await rest.json('/filmz')).toMatchObject({ hint: "Perhaps you meant the table 'public.films'" })
    expect(await rest.json('/things')).toMatchObject({ code: 'PGRST205' })
  })

  it('refuses unknown schemas, paths, methods and the root', async () => {
    const schema = await rest.request('/films', { headers: { 'Accept-Profile': 'hidden' } })
    expect(schema.status).toBe(406)
    expect(await schema.json()).toMatchObject({
      code: 'PGRST106',
      message: 'Invalid schema: hidden',
      hint: 'Only the following schemas are exposed: public',
    })
    expect(await rest.json('/films/1')).toMatchObject({ code: 'PGRST125' })
    expect(await rest.json('/films', { method: 'PUT' })).toMatchObject({ code: 'PGRST117' })
    expect(await rest.json('/rpc/add', { method: 'PATCH' })).toMatchObject({ code: 'PGRST101' })
    expect(await rest.json('/')).toMatchObject({ code: 'PGRST126' })
  })

  it('refuses aggregates when no setting allows aggregates', async () => {
    const aggregates = ['count()', 'price.sum()', 'total:price.avg()::int']
    for (const select of aggregates) {
      expect(await rest.json(`/films?select=${select}`)).toMatchObject({ code: 'PGRST123' })
    }
  })

  it('returns 401 to visitors and 403 to customers without the privilege', async () => {
    const asVisitor = await rest.request('/secrets')
    expect(asVisitor.status).toBe(401)
    expect(asVisitor.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect(await asVisitor.json()).toMatchObject({
      code: '42501',
      message: 'permission denied for table secrets',
    })

    const asPerson = await rest.request('/secrets', { caller: { role: 'authenticated' } })
    expect(asPerson.status).toBe(403)
    expect(await rest.json('/secrets?select=body', { caller: { role: 'service_role' } })).toEqual([
      { body: 'hush' },
    ])
  })
})

describe('request limits', () => {
  it.each([
    ['columns', `select=${many(1001, () => 'id').join()}`],
    ['embeds', `select=${many(31, (index) => `a${index}:actors(id)`).join()}`],
    ['steps into JSON', `select=data${many(65, () => '->a').join('')}`],
    ['order columns', `order=${many(101, () => 'id').join()}`],
    ['nested logical groups', `or=${many(20, () => '(or').join('')}(id.eq.1)${many(20, () => ')').join('')}`],
  ])('refuses a request with too many %s', async (_, query) => {
    const response = await rest.request(`/films?${query}`)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'PGRST100' })
  })

  it('refuses a request whose URL is too long', async () => {
    const response = await rest.request(`/films?id=in.(${many(20_000, String).join()})`)

    expect([response.status, await response.json()]).toMatchObject([414, { code: 'PGRST100' }])
  })
})

describe('a changing schema', () => {
  it('reloads the schema after a database notification', async () => {
    const { owner } = rest.database
    const select = '/films?select=id,awards(title)&id=eq.1'
    await owner.query(
      'create table public.awards (film_id int primary key, title text); grant select on public.awards to anon',
    )
    expect(await rest.json(select)).toMatchObject({ code: 'PGRST200' })

    // After dropping a key no name is missing, so only the notification triggers the reload.
    await owner.query(
      'alter table public.awards add constraint awards_film foreign key (film_id) references public.films',
    )
    expect(await rest.json(select)).toEqual([{ id: 1, awards: null }])
    await owner.query(`alter table public.awards drop constraint awards_film; notify pgrst, 'reload schema'`)
    await expect.poll(() => rest.json(select)).toMatchObject({ code: 'PGRST200' })
  })

  it('reloads the schema when a requested name is missing', async () => {
    const { owner } = rest.database
    expect((await rest.request('/latecomers')).status).toBe(404)

    await owner.query('create table public.latecomers (id int); grant select on public.latecomers to anon')
    expect(await rest.json('/latecomers')).toEqual([])

    await owner.query('alter table public.latecomers add column extra text')
    expect(await rest.json('/latecomers?extra=eq.x')).toEqual([])

    await owner.query('alter table public.latecomers rename column extra to more')
    expect(await rest.json('/latecomers?select=more')).toEqual([])
  })
})
