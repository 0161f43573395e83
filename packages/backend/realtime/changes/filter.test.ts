import { expect, it } from 'vitest'

import { FilterError, parseFilter } from './filter.ts'

const condition = (column: string, operator: string, value: string) => ({
  column,
  operator,
  isNegated: false,
  value,
})

it.each([
  ['', []],
  ['  ', []],
  ['id=eq.1', [condition('id', 'eq', '1')]],
  ['id=not.lt.1', [{ ...condition('id', 'lt', '1'), isNegated: true }]],
  ['a=eq.1,b=neq.2', [condition('a', 'eq', '1'), condition('b', 'neq', '2')]],
  ['a=eq."x,y",b=eq.2', [condition('a', 'eq', 'x,y'), condition('b', 'eq', '2')]],
  [String.raw`a=eq."x\"y\\z"`, [condition('a', 'eq', String.raw`x"y\z`)]],
  ['a=eq.say "hi"', [condition('a', 'eq', 'say "hi"')]],
  ['a=eq.5" reel,b=eq.2', [condition('a', 'eq', '5" reel'), condition('b', 'eq', '2')]],
  ['a=eq.(x,y),b=eq.2', [condition('a', 'eq', '(x,y)'), condition('b', 'eq', '2')]],
  ['a=eq.x)y,b=eq.2', [condition('a', 'eq', 'x)y'), condition('b', 'eq', '2')]],
  ['a=eq.x=y.z', [condition('a', 'eq', 'x=y.z')]],
  ['a=eq.', [condition('a', 'eq', '')]],
  ['a=eq.two\nlines', [condition('a', 'eq', 'two\nlines')]],
  ['a=is.NULL', [condition('a', 'is', 'null')]],
  ['a=is."true"', [condition('a', 'is', 'true')]],
  ['a=in.(x,"y,z", w )', [condition('a', 'in', '{"x","y,z","w"}')]],
  ['a=in.()', [condition('a', 'in', '{}')]],
  [String.raw`a=in.("x\"y",z\w)`, [condition('a', 'in', String.raw`{"x\"y","z\\w"}`)]],
  ['a=in.(null,(b,c))', [condition('a', 'in', '{"null","(b,c)"}')]],
])('reads the filter %j', (text, conditions) => {
  expect(parseFilter(text)).toEqual(conditions)
})

it.each([
  ['id', /Error parsing `filter` params: "id"/],
  ['id=1', /Error parsing/],
  ['id=equals.1', /Error parsing/],
  ['=eq.1', /Error parsing/],
  ['a=eq.1,', /Error parsing/],
  ['a= not.eq.1', /Error parsing/],
  ['a=not.not.eq.1', /Error parsing/],
  ['a=is.perhaps', /must be null, true, false, or unknown/],
  ['a=in.x', /must be wrapped by parentheses/],
  ['a=in.(x', /must be wrapped by parentheses/],
  ['a=in.x)', /must be wrapped by parentheses/],
  ['a=in.(', /must be wrapped by parentheses/],
])('rejects the filter %j', (text, message) => {
  expect(() => parseFilter(text)).toThrow(FilterError)
  expect(() => parseFilter(text)).toThrow(message)
})

const list = (count: number) => `a=in.(${Array.from({ length: count }, (_, n) => n).join()})`

it('accepts a hundred values in a list and rejects more', () => {
  expect(parseFilter(list(100))).toHaveLength(1)
  expect(() => parseFilter(list(101))).toThrow('Maximum 100')
})
