import { describe, expect, it } from 'vitest'

import { RestError } from '../errors.ts'
import { findComparison, parseComparison, parseGroup } from './filter.ts'
import { negotiate } from './media-type.ts'
import { parseOrder } from './order.ts'
import { refuseLongPatterns } from './pattern-length.ts'
import { parsePayload } from './payload.ts'
import { parsePreferences, preferenceApplied } from './preferences.ts'
import { parseQuery } from './query.ts'
import { restrict, topLevelRange } from './range.ts'
import { parseSelect } from './select.ts'

/** Runs `parse` and returns the details of its error. */
function refusalOf(parse: () => unknown): unknown {
  try {
    parse()
  } catch (error) {
    if (error instanceof RestError) return error.body.details ?? error.body.message
    throw error
  }
  return 'accepted'
}

const column = (name: string) => ({ name, path: [] })
const filter = (name: string, text: string) => ({
  kind: 'filter',
  field: column(name),
  ...parseComparison(text),
})
const query = (text: string, takesArguments = false) =>
  parseQuery(new URLSearchParams(text), { takesArguments })

const nestedGroups = (levels: number) => `${'(or'.repeat(levels)}(a.eq.1)${')'.repeat(levels)}`
const terms = (count: number) => Array.from({ length: count }, () => 'a').join()
const parse = (text?: string, allowsRollback = false) => parsePreferences(text, { allowsRollback })
const closed = (levels: number) =>
  `${'{"a":'.repeat(levels / 2)}${'['.repeat(levels / 2)}${']'.repeat(levels / 2)}${'}'.repeat(levels / 2)}`
const patterns = (...texts: string[]) =>
  texts.map((text) => query(text).filters[0]?.value).filter((one) => !!one)

describe('a comparison', () => {
  it.each([
    ['eq.1', { kind: 'quantified', operator: 'eq', quantifier: null, value: '1' }],
    ['like(any).{a*,b*}', { kind: 'quantified', operator: 'like', quantifier: 'any', value: '{a*,b*}' }],
    ['gt(all).{1,2}', { kind: 'quantified', operator: 'gt', quantifier: 'all', value: '{1,2}' }],
    ['neq.a.b', { kind: 'simple', operator: 'neq', value: 'a.b' }],
    ['cs.{1}', { kind: 'simple', operator: 'cs', value: '{1}' }],
    ['is.null', { kind: 'is', value: 'null' }],
    ['is.NOT_NULL', { kind: 'is', value: 'not_null' }],
    ['isdistinct.1', { kind: 'isdistinct', value: '1' }],
    ['in.(a,"b,c",d)', { kind: 'in', values: ['a', 'b,c', 'd'] }],
    ['in.( a , b )', { kind: 'in', values: ['a ', ' b '] }],
    ['in.()', { kind: 'in', values: [''] }],
    ['in.("a"b,c)', { kind: 'in', values: ['"a"b', 'c'] }],
    [String.raw`in.("a\"b","c\\d")`, { kind: 'in', values: ['a"b', String.raw`c\d`] }],
    ['fts.kob', { kind: 'search', operator: 'fts', language: null, value: 'kob' }],
    ['wfts(english).big kob', { kind: 'search', operator: 'wfts', language: 'english', value: 'big kob' }],
    ['match.^a\nb', { kind: 'quantified', operator: 'match', quantifier: null, value: '^a\nb' }],
  ])('parses the comparison %s', (text, comparison) => {
    expect(findComparison(text)).toEqual({ isNegated: false, comparison })
    expect(findComparison(`not.${text}`)).toEqual({ isNegated: true, comparison })
  })

  it.each([
    '1',
    'equals.1',
    'eq',
    'eq(some).1',
    'neq(any).1',
    'is(any).null',
    'fts(a;b).c',
    'fts().c',
    '',
    '.1',
  ])('parses no comparison from %j', (text) => {
    expect(findComparison(text)).toBeNull()
    expect(refusalOf(() => parseComparison(text))).toMatch(/expecting "not" or operator/)
  })

  it.each([
    ['is.perhaps', /expecting isVal: \(null, not_null, true, false, unknown\)/],
    ['is.', /expecting isVal/],
    ['in.a', /unexpected "a" expecting "\("/],
    ['in.(a', /unexpected end of input expecting "\)"/],
  ])('explains the error in the comparison %s', (text, message) => {
    expect(refusalOf(() => findComparison(text))).toMatch(message)
  })
})

describe('a group of filters', () => {
  it('reads filters, negations and groups inside groups', () => {
    expect(parseGroup('(a.eq.1, not.or(b.is.null,not.and(c.not.gt.2,d.in.(1,2))))', 'and', true)).toEqual({
      kind: 'group',
      isNegated: true,
      conjunction: 'and',
      members: [
        filter('a', 'eq.1'),
        {
          kind: 'group',
          isNegated: true,
          conjunction: 'or',
          members: [
            filter('b', 'is.null'),
            {
              kind: 'group',
              isNegated: true,
              conjunction: 'and',
              members: [filter('c', 'not.gt.2'), filter('d', 'in.(1,2)')],
            },
          ],
        },
      ],
    })
  })

  it.each([
    ['(a.eq."x,y",b.eq.z)', ['x,y', 'z']],
    ['(a.eq.{1,2},b.eq.z)', ['{1,2}', 'z']],
    ['(a.eq."x"y,b.eq.z)', ['"x"y', 'z']],
    ['(a.eq.,b.eq.z)', ['', 'z']],
    ['( a.eq.x , b.eq.z )', ['x ', 'z ']],
    ['(a.eq.{1}2,b.eq.z)', ['{1}2', 'z']],
  ])('reads the values of %s', (text, values) => {
    const { members } = parseGroup(text, 'or', false)

    expect(members).toEqual([filter('a', `eq.${values[0]}`), filter('b', `eq.${values[1]}`)])
  })

  it('reads columns that are named like a conjunction', () => {
    expect(parseGroup('(and.eq.1,or.eq.2,order.eq.3,not.eq.4)', 'and', false).members).toEqual([
      filter('and', 'eq.1'),
      filter('or', 'eq.2'),
      filter('order', 'eq.3'),
      filter('not', 'eq.4'),
    ])
  })

  it.each([
    ['a.eq.1', /unexpected "a" expecting "\("/],
    ['(a.eq.1', /unexpected end of input expecting "\)"/],
    ['(a.eq.1)b', /unexpected "b" expecting "," or end of input/],
    ['(a)', /unexpected "\)" expecting delimiter/],
    ['(a.is)', /expecting operator/],
    ['()', /expecting field name/],
  ])('explains the error in the group of filters %s', (text, message) => {
    expect(refusalOf(() => parseGroup(text, 'and', false))).toMatch(message)
  })

  it('refuses more than sixteen levels of nesting', () => {
    expect(refusalOf(() => parseGroup(nestedGroups(16), 'and', false))).toBe('accepted')
    expect(refusalOf(() => parseGroup(nestedGroups(17), 'and', false))).toMatch(/at most 16 levels/)
  })
})

describe('the order', () => {
  it.each([
    ['price', { relation: null, direction: null, nulls: null }],
    ['price.asc', { relation: null, direction: 'asc', nulls: null }],
    ['price.desc.nullslast', { relation: null, direction: 'desc', nulls: 'last' }],
    ['price.nullsfirst', { relation: null, direction: null, nulls: 'first' }],
    [' directors(price).asc ', { relation: 'directors', direction: 'asc', nulls: null }],
  ])('parses the comparison %s', (text, term) => {
    expect(parseOrder(text)).toEqual([{ field: column('price'), ...term }])
  })

  it('reads several terms and paths into JSON', () => {
    expect(parseOrder('data->a->>0.desc,price')).toEqual([
      {
        relation: null,
        field: {
          name: 'data',
          path: [
            { arrow: '->', key: { kind: 'key', text: 'a' } },
            { arrow: '->>', key: { kind: 'index', text: '0' } },
          ],
        },
        direction: 'desc',
        nulls: null,
      },
      { relation: null, field: column('price'), direction: null, nulls: null },
    ])
  })

  it.each([
    ['price.up', /expecting "asc", "desc", "nullsfirst" or "nullslast"/],
    ['price.asc.nullslast.x', /expecting "," or end of input/],
    ['directors(price', /expecting "\)"/],
    ['', /expecting field name/],
  ])('explains the error in the order %j', (text, message) => {
    expect(refusalOf(() => parseOrder(text))).toMatch(message)
  })

  it('refuses more than a hundred terms', () => {
    expect(parseOrder(terms(100))).toHaveLength(100)
    expect(refusalOf(() => parseOrder(terms(101)))).toMatch(/at most 100 terms/)
  })
})

describe('the selection', () => {
  const field = { kind: 'field', cast: null, alias: null, aggregate: null }

  it.each([
    ['*', { kind: 'star' }],
    ['id', { ...field, field: column('id') }],
    ['"any, thing"', { ...field, field: column('any, thing') }],
    ['name:title', { ...field, field: column('title'), alias: 'name' }],
    ['price::text', { ...field, field: column('price'), cast: 'text' }],
    ['p:price::text', { ...field, field: column('price'), cast: 'text', alias: 'p' }],
    [
      'price.sum()::int',
      { ...field, field: column('price'), aggregate: { name: 'sum', cast: 'int', isOfRows: false } },
    ],
    [
      'n:count()::text',
      {
        ...field,
        alias: 'n',
        field: column('count'),
        aggregate: { name: 'count', cast: 'text', isOfRows: true },
      },
    ],
    ['count', { ...field, field: column('count') }],
    [
      'data->"a b"->-1->>key-with-dash',
      {
        ...field,
        field: {
          name: 'data',
          path: [
            { arrow: '->', key: { kind: 'key', text: 'a b' } },
            { arrow: '->', key: { kind: 'index', text: '-1' } },
            { arrow: '->>', key: { kind: 'key', text: 'key-with-dash' } },
          ],
        },
      },
    ],
  ])('reads %s', (text, item) => {
    expect(parseSelect(text)).toEqual([item])
    expect(parseSelect(` ${text} , ${text}`)).toEqual([item, item])
  })

  it('reads relations with alias, hint, join and their own selection', () => {
    const embed = { kind: 'embed', alias: null, hint: null, join: null, isSpread: false, items: [] }

    expect(parseSelect('directors(*)')).toEqual([
      { ...embed, target: 'directors', items: [{ kind: 'star' }] },
    ])
    expect(parseSelect('by:directors!fk!inner()')).toEqual([
      { ...embed, alias: 'by', target: 'directors', hint: 'fk', join: 'inner' },
    ])
    expect(parseSelect('directors!left!inner!one!two()')).toEqual([
      { ...embed, target: 'directors', hint: 'one', join: 'left' },
    ])
    expect(parseSelect('...studios(city)')).toEqual([
      { ...embed, target: 'studios', isSpread: true, items: [{ ...field, field: column('city') }] },
    ])
    expect(parseSelect('')).toEqual([])
  })

  it.each([
    ['id,', /expecting field name/],
    ['directors(', /expecting "\)"/],
    ['directors(id', /expecting "\)"/],
    ['id::', /expecting letter or digit/],
    ['price.median()', /expecting "," or end of input/],
    ['*x', /expecting/],
    ['data->', /expecting any non reserved character/],
    ['"open', /expecting/],
  ])('explains the error in the select %s', (text, message) => {
    expect(refusalOf(() => parseSelect(text))).toMatch(message)
  })

  it.each([
    ['items', (count: number) => Array.from({ length: count }, () => 'a').join(), 1000],
    ['embedded resources', (count: number) => Array.from({ length: count }, () => 'a()').join(), 30],
    ['levels of embedding', (count: number) => `${'a('.repeat(count)}${')'.repeat(count)}`, 6],
    ['steps into JSON', (count: number) => `data${'->a'.repeat(count)}`, 64],
  ])('limits the number of %s', (what, text, limit) => {
    expect(refusalOf(() => parseSelect(text(limit)))).toBe('accepted')
    expect(refusalOf(() => parseSelect(text(limit + 1)))).toContain(`at most ${limit} ${what}`)
  })
})

describe('the query string', () => {
  it('reads filters, groups, orders and ranges of the relation and its embedded relations', () => {
    expect(
      query(
        'select=id&name=eq.a&actors.age=gt.3&or=(a.eq.1)&actors.not.and=(b.eq.2)&order=id&actors.order=age&limit=5&offset=-2&actors.offset=1',
      ),
    ).toEqual({
      select: parseSelect('id'),
      filters: [
        { path: [], value: filter('name', 'eq.a') },
        { path: ['actors'], value: filter('age', 'gt.3') },
        { path: [], value: parseGroup('(a.eq.1)', 'or', false) },
        { path: ['actors'], value: parseGroup('(b.eq.2)', 'and', true) },
      ],
      orders: [
        { path: [], value: parseOrder('id') },
        { path: ['actors'], value: parseOrder('age') },
      ],
      ranges: [
        { path: [], value: { offset: 0, limit: 5 } },
        { path: ['actors'], value: { offset: 1, limit: null } },
      ],
      columns: null,
      onConflict: null,
      arguments: [],
    })
  })

  it('selects everything by default and ignores limits that are not numbers', () => {
    const { select, ranges } = query('limit=ten&offset=1e3')

    expect(select).toEqual([{ kind: 'star' }])
    expect(ranges).toEqual([])
  })

  it('reads the columns of a body and of a conflict once each', () => {
    const { columns, onConflict, filters } = query('columns=a, "b c",a&on_conflict=id')

    expect([columns, onConflict, filters]).toEqual([['a', 'b c'], ['id'], []])
    expect(refusalOf(() => query('columns=a b;c'))).toMatch(/expecting "," or end of input/)
    expect(refusalOf(() => query('columns='))).toMatch(/expecting field name/)
  })

  it('reads parameters of a function that are not filters as arguments', () => {
    const { filters, arguments: given } = query('a=1&b=eq.2&c.d=3', true)

    expect(filters).toEqual([{ path: [], value: filter('b', 'eq.2') }])
    expect(given).toEqual([['a', '1']])
    expect(refusalOf(() => query('a=1'))).toMatch(/expecting "not" or operator/)
  })
})

describe('the range', () => {
  const all = { offset: 0, limit: null }

  it.each([
    [all, undefined, all],
    [all, '0-9', { offset: 0, limit: 10 }],
    [all, '5-', { offset: 5, limit: null }],
    [{ offset: 10, limit: 10 }, '15-30', { offset: 15, limit: 5 }],
    [{ offset: 10, limit: 10 }, '0-12', { offset: 10, limit: 3 }],
    [{ offset: 3, limit: 0 }, '5-9', { offset: 0, limit: 0 }],
    [{ offset: 3, limit: 4 }, 'rows=1-2', { offset: 3, limit: 4 }],
  ])('narrows the range %j by the header %s to %j', (given, header, range) => {
    expect(topLevelRange(given, header)).toEqual(range)
  })

  it.each([
    [{ offset: 0, limit: -1 }, undefined],
    [all, '9-5'],
    [{ offset: 10, limit: 5 }, '0-9'],
    [{ offset: 10, limit: 5 }, '15-20'],
  ])('of %j and the header %s is refused', (given, header) => {
    expect(refusalOf(() => topLevelRange(given, header))).not.toBe('accepted')
  })

  it('has at most the server’s number of rows', () => {
    expect(restrict(all, 1000)).toEqual({ offset: 0, limit: 1000 })
    expect(restrict({ offset: 5, limit: 10 }, 1000)).toEqual({ offset: 5, limit: 10 })
    expect(restrict({ offset: 5, limit: 2000 }, 1000)).toEqual({ offset: 5, limit: 1000 })
    expect(restrict({ offset: 5, limit: 2000 }, null)).toEqual({ offset: 5, limit: 2000 })
  })
})

describe('preferences', () => {
  it('reads known preferences, of which the first value wins, and lists unknown ones', () => {
    expect(
      parse('return=minimal, return=representation,count=exact,max-affected=12, , speed=high,tx'),
    ).toEqual({
      return: 'minimal',
      count: 'exact',
      'max-affected': 12,
      invalid: ['speed=high', 'tx'],
    })
    expect(parse()).toEqual({ invalid: [] })
    expect(parse('max-affected=-1').invalid).toEqual(['max-affected=-1'])
    expect(parse('timezone=Africa/Johannesburg').timezone).toBe('Africa/Johannesburg')
  })

  it('rolls back only where the server allows the preference', () => {
    expect(parse('tx=rollback')).toEqual({ invalid: [] })
    expect(parse('tx=rollback', true)).toEqual({ tx: 'rollback', invalid: [] })
  })

  it('confirms the preferences that the operation honours, in a fixed order', () => {
    expect(preferenceApplied(parse('count=exact,return=minimal'), ['return', 'count'])).toBe(
      'return=minimal, count=exact',
    )
    expect(preferenceApplied(parse('count=exact,return=minimal'), ['return'])).toBe('return=minimal')
    expect(preferenceApplied(parse('count=exact'), [])).toBeNull()
    expect(preferenceApplied(parse('max-affected=1'), ['max-affected'])).toBeNull()
    expect(preferenceApplied(parse('handling=strict,max-affected=1'), ['handling', 'max-affected'])).toBe(
      'handling=strict, max-affected=1',
    )
  })
})

describe('the media type', () => {
  it.each([
    [undefined, 'array', 'application/json; charset=utf-8'],
    ['', 'array', 'application/json; charset=utf-8'],
    ['*/*', 'array', 'application/json; charset=utf-8'],
    ['text/html, application/*;q=0.8', 'array', 'application/json; charset=utf-8'],
    ['text/csv', 'csv', 'text/csv; charset=utf-8'],
    ['application/json;q=0.5, text/csv', 'csv', 'text/csv; charset=utf-8'],
    ['text/csv;q=none, application/json;q=0.1', 'array', 'application/json; charset=utf-8'],
    ['Application/Vnd.Pgrst.Object+JSON', 'object', 'application/vnd.pgrst.object+json; charset=utf-8'],
    ['text/csv; nulls=stripped', 'csv', 'text/csv; charset=utf-8'],
    [
      'application/vnd.pgrst.object+json; nulls=stripped',
      'object',
      'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
    ],
    [
      'application/vnd.pgrst.array+json;nulls=stripped',
      'array',
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
    ],
  ])('negotiates Accept %j as %s, sent as %s', (accept, kind, contentType) => {
    const negotiated = negotiate(accept)

    expect([negotiated.kind, negotiated.contentType]).toEqual([kind, contentType])
    expect(negotiated.stripsNulls).toBe(contentType.includes('nulls=stripped'))
  })

  it('is refused when the service offers none of the accepted types', () => {
    expect(() => negotiate('text/html, image/png;q=0.5')).toThrow(/text\/html, image\/png/)
  })
})

describe('a body', () => {
  it.each([
    ['{"a":1,"b":2}', null, { isArray: false, keys: ['a', 'b'] }],
    ['[{"a":1,"b":2},{"b":3,"a":4}]', null, { isArray: true, keys: ['a', 'b'] }],
    ['[]', null, { isArray: true, keys: [] }],
    [' {"a":1}', ['b'], { isArray: false, keys: ['b'] }],
    ['[{"a":1},{"c":1}]', ['b'], { isArray: true, keys: ['b'] }],
  ])('%s has rows for the columns %j', (json, columns, payload) => {
    expect(parsePayload(json, columns)).toEqual({ json, ...payload })
  })

  it.each(['1', '"text"', 'null'])('finds no rows in the payload %s', (json) => {
    expect(parsePayload(json, null)).toEqual({ json: '[]', isArray: true, keys: [] })
  })

  it.each([
    ['[{"a":1},{"b":1}]', 'All object keys must match'],
    ['[{"a":1},{"a":1,"b":1}]', 'All object keys must match'],
    ['[{"a":1},2]', 'All object keys must match'],
    ['[1]', 'All object keys must match'],
    ['[[]]', 'All object keys must match'],
    ['{', 'Empty or invalid json'],
    ['', 'Empty or invalid json'],
  ])('%j is refused: %s', (json, message) => {
    expect(refusalOf(() => parsePayload(json, null))).toBe(message)
  })

  it('is refused when it is nested more than 256 levels deep, whatever its strings contain', () => {
    expect(parsePayload(closed(256), ['a']).keys).toEqual(['a'])
    expect(refusalOf(() => parsePayload(closed(258), ['a']))).not.toBe('accepted')
    expect(parsePayload(JSON.stringify({ a: `\\"${'['.repeat(500)}` }), null).keys).toEqual(['a'])
    expect(parsePayload(`[${'[],'.repeat(500)}[]]`, ['a']).keys).toEqual(['a'])
  })
})

describe('the length of patterns', () => {
  it('adds up patterns and text searches of all filters and groups', () => {
    const filters = patterns(
      'a=like.12345',
      'a=fts.12345',
      'or=(a.imatch.12345,b.eq.1234567890,not.and(a.ilike.12345))',
    )

    expect(refusalOf(() => refuseLongPatterns(filters, 20))).toBe('accepted')
    expect(refusalOf(() => refuseLongPatterns(filters, 19))).toContain('19')
  })

  it('does not count other comparisons', () => {
    const filters = patterns('a=eq.12345', 'a=in.(12345)', 'a=is.null', 'a=cs.{12345}', 'a=isdistinct.12345')

    expect(refusalOf(() => refuseLongPatterns(filters, 0))).toBe('accepted')
  })
})
