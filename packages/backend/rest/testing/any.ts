/** Arbitraries for malformed requests, mixed with enough valid ones to reach the database. */

import * as fc from 'fast-check'

export const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    `'`,
    `"`,
    `\\`,
    `;--`,
    `$1`,
    `%00`,
    `\0`,
    '(',
    ')',
    ',',
    '{',
    '}',
    '*',
    '.',
    '::',
    '->',
    '!',
    '',
    ' ',
  ),
  fc.constantFrom(
    `' or 1=1 --`,
    `");drop table films;--`,
    '1e999',
    '-1',
    'null',
    '\ud800',
    '{"a":',
    '[2020-01-01,]',
  ),
)
const column = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('id', 'title', 'price', 'tags', 'data', 'shown', 'released', 'upper_title'),
  },
  { weight: 1, arbitrary: nasty },
)
const path = fc.constantFrom('', '->a', '->>a', '->0', '->0->>b', '->"x y"', '->', '->>-1')
const field = fc.tuple(column, path).map((parts) => parts.join(''))
export const operator = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'is',
  'in',
  'cs',
  'cd',
  'ov',
  'sl',

  'adj',
  'fts',
  'wfts(english)',
  'plfts(no such)',
  'isdistinct',
  'eq(any)',
  'like(all)',
  'not.eq',
  'not.in',
  'nonsense',
)
const value = fc.oneof(
  nasty,
  fc.integer().map(String),
  fc.constantFrom('(1,2)', '{1,2}', '("a,b",c)', 'null', 'true'),
)
const comparison = fc.tuple(operator, value).map((parts) => parts.join('.'))
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(field, comparison).map((parts) => parts.join('.')),
    fc
      .tuple(fc.constantFrom('and', 'or', 'not.and', 'not.or'), fc.array(tie('tree'), { maxLength: 3 }))
      .map(([name, members]) => `${name}(${members.join(',')})`),
  ),
}))
const { items } = fc.letrec<{ items: string; item: string }>((tie) => ({
  items: fc.array(tie('item'), { maxLength: 4 }).map((all) => all.join(',')),
  item: fc.oneof(
    { maxDepth: 3 },
    field,
    fc.tuple(nasty, field).map(([alias, name]) => `"${alias.replaceAll('"', '')}":${name}`),
    fc
      .tuple(field, fc.constantFrom('text', 'int', 'nonsense', 'text; drop', 'double precision'))
      .map((both) => both.join('::')),
    fc.constantFrom('*', 'count()', 'price.sum()'),
    fc
      .tuple(
        fc.constantFrom('', '...', 'x:'),
        fc.constantFrom(
          'actors',
          'directors',
          'director_id',
          'roles',
          'nominations',
          'cast_of',
          'films',
          'employees',
        ),
        fc.constantFrom('', '!inner', '!left', '!roles', '!films_director_id_fkey', '!nope!inner'),
        tie('items'),
      )
      .map(([before, name, hint, inside]) => `${before}${name}${hint}(${inside})`),
  ),
}))
const sound = fc.oneof(
  fc.tuple(
    fc.constantFrom('id', 'title', 'price', 'data->>a', 'is_live', 'tags', 'upper_title'),
    fc.oneof(
      comparison,
      fc.nat(3).map((id) => `eq.${id}`),
      nasty.map((text) => `eq.${text}`),
    ),
  ),
  fc.constantFrom<[string, string][]>(
    ['select', 'id,title,actors(name,films!roles(id))'],
    ['select', '*,director:director_id!inner(name)'],
    ['select', 'id,...actors(names:name),technical_specs(*)'],
    ['select', 'data->a,price::text,x:tags'],
    ['order', 'price.desc.nullslast,id'],
  ),
)
const unsound = fc.oneof(
  items.map((text): [string, string] => ['select', text]),
  fc.tuple(field, comparison),
  fc.tuple(
    fc.constantFrom('or', 'and', 'not.or', 'actors.or'),
    tree.map((text) => `(${text})`),
  ),
  fc.tuple(
    fc.constantFrom('order', 'actors.order'),
    fc.tuple(field, fc.constantFrom('', '.asc', '.desc.nullslast', '.up')).map((both) => both.join('')),
  ),
  fc.tuple(fc.constantFrom('limit', 'offset', 'actors.limit'), fc.oneof(nasty, fc.integer().map(String))),
  fc.tuple(fc.constantFrom('columns', 'on_conflict'), fc.oneof(nasty, column)),
  fc.tuple(nasty, nasty),
)
export const query = fc
  .oneof(fc.array(sound, { maxLength: 4 }), fc.tuple(sound, unsound), fc.array(unsound, { maxLength: 3 }))
  .map((all) => new URLSearchParams(all.map(([k, v]) => [k, v])))
export const header = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  fc.constantFrom('0-0', '5-', '9-2', '0-999999999999999', 'constructor'),
)
export const prefer = fc.oneof(
  header,
  fc
    .array(
      fc.constantFrom(
        'count=exact',
        'count=planned',
        'return=representation',
        'handling=strict',
        'max-affected=1',
        'missing=default',
        'resolution=merge-duplicates',
        'timezone=Nowhere',
        'x=y',
      ),
      { maxLength: 4 },
    )
    .map((all) => all.join(',')),
)
export const accept = fc.constantFrom(
  '*/*',
  'application/json',
  'text/csv',
  'application/vnd.pgrst.object+json',
  'text/html, */*;q=0.1',
  'constructor',
)

export const anyType = fc.constantFrom(
  'application/json',
  'text/plain',
  'application/octet-stream',
  'text/csv',
  'constructor',
  '',
)
