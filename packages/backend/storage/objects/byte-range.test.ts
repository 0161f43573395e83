import { expect, it } from 'vitest'

import { parseRange } from './byte-range.ts'

it.each([
  ['bytes=0-99', 1000, { start: 0, end: 99 }],
  ['bytes=100-', 1000, { start: 100, end: 999 }],
  ['bytes=-100', 1000, { start: 900, end: 999 }],
  [' bytes=5-5 ', 1000, { start: 5, end: 5 }],
  ['bytes=999-2000', 1000, { start: 999, end: 999 }],
  ['bytes=-2000', 1000, { start: 0, end: 999 }],
  ['bytes=1000-', 1000, 'unsatisfiable'],
  ['bytes=-0', 1000, 'unsatisfiable'],
  ['bytes=-1', 0, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
])('reads the range %s of %i bytes as %j', (header, size, range) => {
  expect(parseRange(header, size)).toEqual(range)
})

it.each([undefined, '', 'bytes=-', 'bytes=9-5', 'bytes=0-1,3-4', 'pages=1-2', 'xbytes=0-1', 'bytes=0-1x'])(
  'ignores the range %j',
  (header) => {
    expect(parseRange(header, 1000)).toBeNull()
  },
)
