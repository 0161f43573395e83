import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { reportFromError, type ImportPreview, type ImportRowReport } from './catalogue-file.ts'
import { ImportReport } from './import-report.tsx'

const ROW: Omit<ImportRowReport, 'outcome'> = { problems: {}, changes: {} }
const SAME: ImportRowReport = { ...ROW, outcome: 'same' }
const CHANGED: ImportRowReport = { ...ROW, outcome: 'changed', changes: { price: [110, 120] } }
const WRONG: ImportRowReport = { ...ROW, outcome: 'wrong', problems: { sku: 'Another colour has it.' } }

const htmlOf = (preview: Omit<ImportPreview, 'name'>) =>
  renderToStaticMarkup(<ImportReport preview={{ ...preview, name: 'catalogue.csv' }} action={null} />)

/** The rows of the report, as text. */
function listed(...report: ImportRowReport[]): string[] {
  const rows = report.map((_, at) => ({ name: 'Kite', colour_name: `Colour ${at}` }))
  return htmlOf({ rows, report })
    .replaceAll('</li>', '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .split('\n')
    .filter((line) => line.includes('Row '))
    .map((line) =>
      line
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/^.* (?=\w+ Row )/, ''),
    )
}

it('lists the changes of an import by the line of the spreadsheet, without unchanged rows', () => {
  expect(listed(SAME, CHANGED)).toEqual(['Changed Row 3: Kite, Colour 1 Price without hooks: 110 120'])
})

it('lists only the wrong rows of an import while one is wrong', () => {
  expect(listed(CHANGED, WRONG)).toEqual(['Wrong Row 3: Kite, Colour 1 SKU: Another colour has it.'])
})

it('says how many colours get another stock from a file without the stock at its export', () => {
  const report: ImportRowReport[] = [
    { ...CHANGED, changes: { stock_quantity: [3, 5] } },
    { ...CHANGED, changes: { stock_quantity: [4, 8] } },
    { ...CHANGED, outcome: 'new', changes: { stock_quantity: [0, 2] } },
    CHANGED,
  ]
  const row = { name: 'Kite', stock_quantity: 5 }

  expect(htmlOf({ rows: [row, { ...row, exported_stock: null }, row, row], report })).toContain(
    'sets the stock of 2 colours',
  )
  const exported = { ...row, exported_stock: 3 }
  expect(htmlOf({ rows: [exported, exported, row, row], report })).not.toContain('sets the stock')
})

const refusal = (details: string, hint: string | null) =>
  new Error('refused', { cause: { code: 'PT409', details, hint } })

it('shows the newer report of an import that another change has overtaken, and none for another error', () => {
  expect(reportFromError(refusal('catalogue_changed', JSON.stringify([CHANGED])))).toEqual([CHANGED])
  expect(reportFromError(refusal('invalid_catalogue', JSON.stringify([WRONG])))).toEqual([WRONG])
  expect(reportFromError(refusal('something_else', JSON.stringify([WRONG])))).toBeNull()
})
