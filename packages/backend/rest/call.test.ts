import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openRest, type TestRest } from './testing/open-rest.ts'

let rest: TestRest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const call = (name: string, body?: unknown, headers: Record<string, string> = {}) =>
  rest.request(`/rpc/${name}`, {
    method: 'POST',
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
const answer = async (response: Promise<Response>): Promise<[number, unknown]> => {
  const { status, text } = await response.then(async (got) => ({
    status: got.status,
    text: await got.text(),
  }))
  return [status, text === '' ? '' : JSON.parse(text)]
}

describe('functions', () => {
  it('passes named arguments to a function and leaves defaults to PostgreSQL', async () => {
    expect(await answer(call('add', { a: 1, b: 2 }))).toEqual([200, 3])
    expect(await answer(call('add', { a: 1 }))).toEqual([200, 11])
    expect(await rest.json('/rpc/add?a=5&b=6')).toBe(11)
    expect(await rest.json('/rpc/greet?name=is.nice')).toMatchObject({ code: 'PGRST100' })
    expect(await rest.json('/rpc/greet?name=a%20b')).toBe('hello a b')
  })

  it('returns a response in the shape of the function’s result', async () => {
    expect(await answer(call('ping'))).toEqual([204, ''])
    expect(await answer(call('greet', { name: 'you' }))).toEqual([200, 'hello you'])
    expect(await answer(call('greet', { name: null }))).toEqual([200, null])
    expect(await answer(call('one_film', { film: 2 }))).toMatchObject([200, { id: 2, title: 'The Shining' }])
    expect(await answer(call('numbers', { up_to: 3 }))).toEqual([200, [1, 2, 3]])
    expect(await answer(call('numbers', { up_to: 0 }))).toEqual([200, []])
    expect(await answer(call('priced', { lowest: 9 }))).toEqual([200, [{ film: '2001', costs: 10.5 }]])
    expect(await answer(call('tagged'))).toEqual([200, { a: null, b: [1, null] }])
  })

  it('selects, filters and counts a function’s rows like a table', async () => {
    expect(
      await rest.json('/rpc/all_films?select=title,director:director_id(name)&id=gt.1&order=id.desc&limit=1'),
    ).toEqual([{ title: 'Eraserhead', director: { name: 'Lynch' } }])
    expect(await rest.json('/rpc/priced?lowest=1&select=costs&film=like.The*')).toEqual([{ costs: 8 }])
    expect(await rest.json('/rpc/all_films?select=id,upper_title,cast_of(name)&id=eq.1')).toEqual([
      { id: 1, upper_title: '2001', cast_of: [{ name: 'Dullea' }] },
    ])
    const counted = await rest.request('/rpc/all_films?limit=1', { headers: { Prefer: 'count=exact' } })
    expect([counted.status, counted.headers.get('Content-Range')]).toEqual([206, '0-0/3'])
    const head = await rest.request('/rpc/all_films', { method: 'HEAD', headers: { Prefer: 'count=exact' } })
    expect([head.status, head.headers.get('Content-Range'), await head.text()]).toEqual([200, '0-2/3', ''])
  })

  it('returns a function’s result as one object or CSV on request', async () => {
    const accept = { Accept: 'application/vnd.pgrst.object+json' }
    expect(await answer(call('priced', { lowest: 9 }, accept))).toEqual([200, { film: '2001', costs: 10.5 }])
    expect(await answer(call('priced', { lowest: 1 }, accept))).toMatchObject([406, { code: 'PGRST116' }])
    const csv = await call('priced', { lowest: 1 }, { Accept: 'text/csv' })
    expect(await csv.text()).toBe('film,costs\n"The Shining",8.00\n2001,10.50')
  })

  it('passes arrays and variadic arguments to a function', async () => {
    expect(await answer(call('sum_of', { parts: [1, 2, 3] }))).toEqual([200, 6])
    expect(await rest.json('/rpc/sum_of?parts=1&parts=2')).toBe(3)
    expect(await rest.json('/rpc/total_of?parts={1,2,3}')).toBe(6)
    expect(await answer(call('total_of', { parts: [4, 5] }))).toEqual([200, 9])
  })

  it('passes the body to a function’s single unnamed parameter', async () => {
    expect(await answer(call('echo', { any: ['thing', 1.0] }))).toEqual([200, { any: ['thing', 1] }])
    expect(await answer(call('echo', [1, 2]))).toMatchObject([400, { code: 'PGRST102' }])
    expect(await answer(call('echo_text', 'plain', { 'Content-Type': 'text/plain' }))).toEqual([200, 'plain'])
    expect(await answer(call('length_of', 'four', { 'Content-Type': 'application/octet-stream' }))).toEqual([
      200, 4,
    ])
  })

  it('chooses an overloaded function by the argument names', async () => {
    expect(await answer(call('pick', { a: 1 }))).toEqual([200, 'a'])
    expect(await answer(call('pick', { b: 1 }))).toEqual([200, 'b'])
    expect(await answer(call('clash', { a: 1 }))).toEqual([
      300,
      {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: public.clash(a => integer), public.clash(a => text)',
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    ])
  })

  it('describes the searched name and arguments when a function is missing', async () => {
    expect(await answer(call('add', { x: 1, c: 2 }))).toEqual([
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.add(c, x) in the schema cache',
        details:
          'Searched for the function public.add with parameters c, x or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.add(a, b)',
      },
    ])
    expect(await answer(call('ad'))).toMatchObject([
      404,
      { message: 'Could not find the function public.ad without parameters in the schema cache', hint: null },
    ])
    expect(await rest.json('/rpc/gret?name=x')).toMatchObject({
      hint: 'Perhaps you meant to call the function public.greet',
    })
  })

  it('refuses a function that writes during GET and rolls back a refused call', async () => {
    const response = await rest.request('/rpc/add_item?sku=G')
    expect([response.status, await response.json()]).toMatchObject([405, { code: '25006' }])

    expect(await answer(call('add_item?select=sku', { sku: 'H' }))).toEqual([200, [{ sku: 'H' }]])
    const strict = { Prefer: 'handling=strict,max-affected=0' }
    expect(await answer(call('add_item', { sku: 'I' }, strict))).toMatchObject([400, { code: 'PGRST124' }])
    expect(await answer(call('greet', { name: 'x' }, strict))).toMatchObject([400, { code: 'PGRST128' }])
    expect(await rest.json('/items?select=sku&sku=in.(G,H,I)')).toEqual([{ sku: 'H' }])
  })

  it('returns no body of a function call with return=minimal', async () => {
    expect(await answer(call('greet', { name: 'x' }, { Prefer: 'return=minimal' }))).toEqual([204, ''])
  })

  it('lets a function set the response’s status and headers', async () => {
    const response = await call('teapot')
    expect([response.status, response.headers.get('X-Pot'), await response.json()]).toEqual([
      418,
      'short',
      'stout',
    ])
  })
})

describe('errors raised in SQL', () => {
  it.each([
    ['PT409', 409],
    ['PT4XX', 500],
    ['P0001', 400],
    ['P0002', 500],
    ['23505', 409],
    ['42501', 401],
    ['40001', 500],
    ['54001', 500],
    ['57014', 500],
    ['22023', 400],
    ['0L000', 403],
    ['ABCDE', 400],
  ])('maps the SQLSTATE %s to the HTTP status %i', async (state, status) => {
    expect(await answer(call('fail_with', { state, message: 'so it is' }))).toEqual([
      status,
      { code: state, message: 'so it is', details: null, hint: null },
    ])
  })

  it.each([
    ['53100', 'We can’t save anything right now. Please try again later.'],
    ['53300', 'We’re very busy right now. Please try again in a few seconds.'],
    ['57P01', 'We can’t reach our database right now. Please try again in a minute.'],
    ['08006', 'We can’t reach our database right now. Please try again in a minute.'],
  ])(
    'logs PostgreSQL’s message of SQLSTATE %s, responds with a sentence and says when to try again',
    async (state, sentence) => {
      rest.logged.splice(0)
      const response = await call('fail_with', { state, message: 'could not extend file "base/5/17262"' })

      expect(response.status).toBe(503)
      expect(rest.logged).toMatchObject([{ err: { code: state } }])
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(await response.json()).toEqual({ code: state, message: sentence, details: null, hint: null })
    },
  )

  it('lets an error raised in SQL define the whole response', async () => {
    const message = JSON.stringify({ code: '123', message: 'Payment needed', details: 'much', hint: 'pay' })
    const detail = JSON.stringify({ status: 402, headers: { 'X-Price': '10' } })
    const response = await call('fail_with', { state: 'PGRST', message, detail })

    expect([response.status, response.headers.get('X-Price')]).toEqual([402, '10'])
    expect(await response.json()).toEqual({
      code: '123',
      message: 'Payment needed',
      details: 'much',
      hint: 'pay',
    })
    expect(await answer(call('fail_with', { state: 'PGRST', message: 'no json' }))).toMatchObject([
      500,
      { code: 'PGRST121', details: "Invalid JSON value for MESSAGE: 'no json'" },
    ])
  })
})

describe('broken connections', () => {
  it('fails only the request whose database connection breaks', async () => {
    await rest.database.owner
      .query(`create function public.hang_up() returns void language sql security definer
      as 'select pg_terminate_backend(pg_backend_pid())'; grant execute on function public.hang_up() to anon`)
    const strict = { Prefer: 'handling=strict', Accept: 'application/vnd.pgrst.object+json' }

    expect((await call('hang_up')).status).toBe(503)
    expect((await call('hang_up', undefined, strict)).status).toBe(503)
    expect(await answer(call('add', { a: 1, b: 2 }))).toEqual([200, 3])
  })
})

describe('the caller’s transaction', () => {
  it('sets the caller’s role, claims, request data and timeout in the transaction', async () => {
    const response = await rest.request('/rpc/who', {
      headers: { 'User-Agent': 'tests' },
      caller: { role: 'authenticated', claims: { sub: 'me', extra: [1] } },
    })
    expect(await response.json()).toMatchObject({
      user: 'authenticated',
      claims: { sub: 'me', extra: [1], role: 'authenticated' },
      method: 'GET',
      path: '/rpc/who',
      agent: 'tests',
      timeout: '8s',
      readOnly: 'on',
    })
    expect(await rest.json('/rpc/who')).toMatchObject({
      user: 'anon',
      claims: { role: 'anon' },
      timeout: '3s',
    })
  })

  it('passes the network of the connection to SQL, and no header that claims another network', async () => {
    await rest.database.owner.query(`create function public.network() returns text language sql stable
      as $$ select current_setting('request.network', true) $$`)
    const headers = { 'X-Forwarded-For': '192.0.2.9', 'X-Real-IP': '192.0.2.9' }

    expect(await rest.json('/rpc/network', { headers, remoteAddress: '2001:db8:1:2:3::4' })).toBe(
      '2001:db8:1:2::/64',
    )
    expect(await rest.json('/rpc/network', { headers, remoteAddress: '198.51.100.7' })).toBe('198.51.100.7')
    expect(await rest.json('/rpc/network', { headers })).toBe('')
  })

  it('passes cookies to SQL by name, and not among the headers', async () => {
    await rest.database.owner.query(`create function public.sent() returns json language sql stable
      as $$ select json_build_object('headers', current_setting('request.headers')::json,
        'cookies', current_setting('request.cookies')::json) $$`)
    const headers = { Cookie: 'theme=dark; session=a=b', 'X-Shown': 'yes' }

    const sent = await rest.json('/rpc/sent', { headers })

    expect(sent).toMatchObject({
      headers: { 'x-shown': 'yes' },
      cookies: { theme: 'dark', session: 'a=b' },
    })
    expect(JSON.stringify(sent).match(/dark/g)).toHaveLength(1)
  })

  it('never leaks a database role to the connection’s next caller', async () => {
    const roles = ['anon', 'authenticated', 'service_role'] as const
    const calls = Array.from({ length: 60 }, async (_, index) => {
      const role = roles[index % 3] ?? 'anon'
      const failing = index % 5 === 0
      if (failing) await rest.request('/rpc/fail_with', { method: 'POST', body: '{}', caller: { role } })
      return { asked: role, found: await rest.json('/rpc/who', { caller: { role } }) }
    })
    for (const { asked, found } of await Promise.all(calls)) expect(found).toMatchObject({ user: asked })
  })

  it('cancels a function call that exceeds the role’s timeout', async () => {
    const response = await call('sleep', { seconds: 4 })
    expect([response.status, await response.json()]).toMatchObject([500, { code: '57014' }])
  })
})

it.each(['a\r\nSet-Cookie: admin=1', 'a\nb'])(
  'refuses a response header that SQL sets to the value %j',
  async (value) => {
    await rest.database.owner
      .query(`create or replace function public.header(value json) returns void language sql volatile as $$
      select set_config('response.headers', json_build_array(json_build_object('X-Note', value))::text, true) $$`)

    expect(await answer(call('header', { value }))).toMatchObject([500, { code: 'PGRST111' }])
  },
)

it.each(['X Note', 'X-Note:', 'X-Note\r\nX-Other', 'ü'])(
  'refuses a response header that SQL gives the name %j',
  async (name) => {
    await rest.database.owner
      .query(`create or replace function public.named_header(value json) returns void language sql volatile as $$
      select set_config('response.headers', json_build_array(value)::text, true) $$`)

    expect(await answer(call('named_header', { value: { [name]: 'a' } }))).toMatchObject([
      500,
      { code: 'PGRST111' },
    ])
  },
)

it('sends every cookie that SQL sets', async () => {
  await rest.database.owner.query(`create function public.two_cookies() returns void language sql as $$
    select set_config('response.headers', '[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]', true) $$`)

  const response = await rest.request('/rpc/two_cookies', { method: 'POST', body: '{}' })

  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})
