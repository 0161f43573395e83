import { Button } from '#app/ui/button.tsx'
import { Panel, Row } from '#app/ui/layout.tsx'
import { formatTotal } from '#domain/money.ts'
import form from '../../form/form-dialog.module.css'
import { columnName } from './column-labels.ts'
import { textOf, type CellEdit, type Edits } from './edits.ts'
import { PRODUCT_ROW } from './paste.ts'
import type { ProductRecord } from './record.ts'
import type { ProductEditor } from './use-product-editor.ts'

interface Conflict {
  cell: string
  theirs: string
  mine: string
}

/** Lists the cells that someone else or a sale changed since the page was loaded, with both values. */
export function EditConflicts({ record, editor }: { record: ProductRecord; editor: ProductEditor }) {
  if (!editor.conflicts) return null
  return (
    <Panel kind="warning" gap={3} size="s" className={form.conflict} role="alert">
      <p>
        <strong>Changed in the meantime.</strong> Nothing has been saved. These are the saved values and
        yours:
      </p>
      <ul>
        {listConflicts(record, editor).map(({ cell, theirs, mine }) => (
          <li key={cell}>
            {cell}: <strong>{theirs}</strong> saved, <strong>{mine}</strong> yours
          </li>
        ))}
      </ul>
      <Row gap={2} align="stretch" wrap>
        <Button onClick={editor.takeTheirs}>Use theirs</Button>
        <Button onClick={editor.keepMine}>Keep mine</Button>
      </Row>
    </Panel>
  )
}

function listConflicts(record: ProductRecord, { conflicts, edits }: ProductEditor): Conflict[] {
  return Object.entries(conflicts ?? {}).flatMap(([row, cells]) => {
    const name = nameOf(record, row)
    if (cells === null) return [{ cell: name, theirs: 'removed', mine: 'changes' }]
    return Object.entries(cells).map(([column, theirs]) => ({
      cell: row === PRODUCT_ROW ? columnName(column) : `${columnName(column)} of ${name}`,
      theirs: shortText(column, theirs),
      mine: shortText(column, editOf(edits, row, column)?.now),
    }))
  })
}

function nameOf(record: ProductRecord, row: string): string {
  return record.product_variants.find(({ id }) => id === row)?.name ?? 'A colour'
}

function editOf(edits: Edits, row: string, column: string): CellEdit | undefined {
  const cells: Partial<Record<string, CellEdit>> | undefined =
    row === PRODUCT_ROW ? edits.product : edits.variants[row]
  return cells?.[column]
}

function shortText(column: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return `${value.length} ${column === 'images' ? 'pictures' : 'lines'}`
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (column.startsWith('price') && typeof value === 'number') return formatTotal(Math.round(value * 100))
  const text = textOf(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
