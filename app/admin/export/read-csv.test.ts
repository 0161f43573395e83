import { expect, it } from 'vitest'
import { csvText } from './csv.ts'
import { readCsv, readCsvFile } from './read-csv.ts'

it('reads every CSV cell that `csvText` wrote', () => {
  const rows = [
    ['Botha, Pieter', 'He said "yes"\nand left', '=1+1', ''],
    ['', '-5', "'quoted'", 'last'],
  ]

  expect(readCsv(`\uFEFF${csvText(['A', 'B', 'C', 'D'], rows)}`)).toEqual([['A', 'B', 'C', 'D'], ...rows])
})

// covers A25
it.each([',', ';', '\t'])('reads a CSV file with the separator "%s"', (separator) => {
  const text = [
    ['Name', 'Stock'],
    ['Redhead 150mm', '5'],
  ]
    .map((cells) => cells.join(separator))
    .join('\n')

  expect(readCsv(text)).toEqual([
    ['Name', 'Stock'],
    ['Redhead 150mm', '5'],
  ])
})

it('reads semicolon-separated CSV with decimal commas and skips empty lines', () => {
  expect(readCsv('A;B\n1,5;2\n\n;\n3;')).toEqual([
    ['A', 'B'],
    ['1,5', '2'],
    ['3', ''],
  ])
})

it('rejects a CSV file with an unclosed quotation mark', () => {
  expect(() => readCsv('A,B\n"1,2')).toThrow('not closed')
})

const BYTES = {
  'UTF-8': [0xe2, 0x80, 0x99, 0xc3, 0xa9, 0xc2, 0xb0],
  'UTF-8 with a byte order mark': [0xef, 0xbb, 0xbf, 0xe2, 0x80, 0x99, 0xc3, 0xa9, 0xc2, 0xb0],
  'Windows-1252': [0x92, 0xe9, 0xb0],
}

it.each(Object.entries(BYTES))(
  'reads a CSV file that a spreadsheet saved as %s',
  async (_encoding, bytes) => {
    expect(await readCsvFile(new Blob([new Uint8Array(bytes)]))).toEqual([['’é°']])
  },
)
