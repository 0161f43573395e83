import { expect, it } from 'vitest'
import { cellText, parseCatalogueRows } from './file-columns.ts'

it('parses numbers, yes, no and empty cells, and passes unreadable cells on to the database', () => {
  expect(
    parseCatalogueRows([
      [
        'Colour address',
        'lure ADDRESS',
        'Price with hooks',
        'Made to order',
        'SKU',
        'Stock',
        'Stock when exported',
      ],
      ['red', 'popper', 'R1 142,50', 'Ja', '', 'a few', '5'],
    ]),
  ).toEqual([
    {
      colour: 'red',
      lure: 'popper',
      price_with_hooks: 1142.5,
      made_to_order: true,
      sku: null,
      stock_quantity: 'a few',
      exported_stock: 5,
    },
  ])
})

function launchOf(typed: string) {
  const [row] = parseCatalogueRows([
    ['Lure address', 'Colour address', 'Launch'],
    ['popper', 'red', typed],
  ])
  return row?.['publish_at']
}

it.each(['2026-11-04 07:00', '2026/11/04 07:00', '2026/11/4 7:00', '2026-11-04 07:00:00'])(
  'reads the launch %s as South African time',
  (typed) => {
    expect(launchOf(typed)).toBe('2026-11-04T05:00:00+00:00')
    expect(cellText('2026-11-04T05:00:00+00:00', 'time')).toBe('2026-11-04 07:00')
  },
)

it.each(['11/12/2026 19:00', '2026-11-24 7:00 PM', '2026-11-24'])(
  'passes the launch %s on unread, which the database refuses',
  (typed) => {
    expect(launchOf(typed)).toBe(typed)
  },
)

it.each(['Low-stock threshold', 'Low-stock level', 'Low from'])(
  'reads the low-stock threshold from a column named %s',
  (head) => {
    const [row] = parseCatalogueRows([
      ['Lure address', 'Colour address', head],
      ['popper', 'red', '4'],
    ])

    expect(row).toEqual({ lure: 'popper', colour: 'red', low_stock_threshold: 4 })
  },
)

it.each([
  [[['Lure address', 'Colour']], 'no column “Colour address”'],
  [[['Lure address', 'Colour address', 'Prize']], 'a column “Prize”'],
  [[['Lure address', 'Colour address']], 'no rows'],
])('rejects a CSV file that is not a catalogue', (cells, words) => {
  expect(() => parseCatalogueRows(cells)).toThrow(words)
})
