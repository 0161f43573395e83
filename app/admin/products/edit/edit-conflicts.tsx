import { formatTotal } from '#domain/money.ts'
import { fieldLabel, PRODUCT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import { fieldAt, PRODUCT_ROW, textOf } from './edits.ts'
import type { ProductRecord } from './record.ts'
import type { ProductEditor } from './use-product-editor.ts'
import { ConflictPanel } from '../../form/conflict-message.tsx'

interface Conflict {
  cell: string
  theirs: string
  mine: string
}

/** Lists the cells that someone else or a sale changed since the page was loaded, with both values. */
export function EditConflicts({ record, editor }: { record: ProductRecord; editor: ProductEditor }) {
  if (!editor.conflicts) return null
  return (
    <ConflictPanel
      text="Nothing has been saved. These are the saved values and yours:"
      onTake={editor.takeTheirs}
      onKeep={editor.keepMine}
    >
      <ul>
        {listConflicts(record, editor).map(({ cell, theirs, mine }) => (
          <li key={cell}>
            {cell}: <strong>{theirs}</strong> saved, <strong>{mine}</strong> yours
          </li>
        ))}
      </ul>
    </ConflictPanel>
  )
}

function listConflicts(record: ProductRecord, { conflicts, edits }: ProductEditor): Conflict[] {
  return Object.entries(conflicts ?? {}).flatMap(([row, cells]) => {
    const name = record.product_variants.find(({ id }) => id === row)?.name ?? 'A colour'
    if (cells === null) return [{ cell: name, theirs: 'removed', mine: 'changes' }]
    return Object.entries(cells).map(([column, theirs]) => {
      const field = fieldAt({ row, column })
      const label = field ? fieldLabel(field) : column
      return {
        cell: row === PRODUCT_ROW ? label : `${label} of ${name}`,
        theirs: shortText(theirs, field),
        mine: shortText(edits.cells[row]?.[column]?.now, field),
      }
    })
  })
}

function shortText(value: unknown, field: ProductField | undefined): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return `${value.length} ${field === PRODUCT_FIELDS.images ? 'pictures' : 'lines'}`
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field?.kind === 'money' && typeof value === 'number') return formatTotal(Math.round(value * 100))
  const text = textOf(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
