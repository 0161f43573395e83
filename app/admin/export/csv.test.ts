import { expect, it } from 'vitest'
import { formatPhone } from '#domain/south-africa.ts'
import { csvText } from './csv.ts'

// covers A25
it('quotes CSV cells that contain separators, quotation marks or line breaks', () => {
  expect(csvText(['Name', 'Words'], [['Botha; Pieter', 'He said "yes"\nand left']])).toBe(
    'Name;Words\r\n"Botha; Pieter";"He said ""yes""\nand left"\r\n',
  )
})

it('quotes a CSV cell with only a line break or only a quotation mark', () => {
  expect(csvText(['A', 'B', 'C'], [['two\nlines', 'two\rlines', '5"']])).toBe(
    'A;B;C\r\n"two\nlines";"two\rlines";"5"""\r\n',
  )
})

it('exports a phone number without a leading apostrophe', () => {
  expect(csvText(['Phone'], [[formatPhone('+27821234567')]])).toBe('Phone\r\n082 123 4567\r\n')
})

it.each(['=1+1', '+27821234567', '-1', '@SUM(A1)', '\t=1+1'])(
  'prevents a spreadsheet from evaluating %j as a formula',
  (value) => {
    expect(csvText(['A'], [[value]])).toBe(`A\r\n'${value}\r\n`)
  },
)
