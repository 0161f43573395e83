import { useId } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { ErrorText } from '#app/ui/layout.tsx'
import { PRODUCT_ROW, type VariantTableColumn } from './paste.ts'
import { COLUMN_LABELS } from './column-labels.ts'
import styles from './variant-table.module.css'
import type { ProductEditor } from './use-product-editor.ts'

interface CellProps {
  row: string
  /** Names the row in the input's accessible name. */
  rowName: string
  column: VariantTableColumn
  editor: ProductEditor
  isRemoved?: boolean
}

const INPUT_MODES: Partial<Record<VariantTableColumn, 'decimal' | 'numeric'>> = {
  price: 'decimal',
  price_with_hooks: 'decimal',
  stock_quantity: 'numeric',
}

/** An input of the variant table, with its error message. */
export function VariantTableCell({ row, rowName, column, editor, isRemoved }: CellProps) {
  const problemId = useId()
  const problem = editor.problems[row]?.[column]
  const isEdited = isEditedCell(editor, row, column)

  const type = (typed: string) => {
    if (row !== PRODUCT_ROW) {
      if (column !== 'price' && column !== 'price_with_hooks') editor.editVariant({ row, column, typed })
    } else if (column === 'price' || column === 'price_with_hooks') editor.editProduct(column, typed)
  }
  return (
    <td
      className={classNames(styles.cell, styles[column], isEdited && styles.edited)}
      data-label={COLUMN_LABELS[column]}
    >
      <input
        data-row={row}
        data-column={column}
        aria-label={`${COLUMN_LABELS[column]}, ${rowName}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : undefined}
        inputMode={INPUT_MODES[column] ?? 'text'}
        placeholder={column === 'price_with_hooks' ? 'Not sold' : undefined}
        autoComplete="off"
        spellCheck={false}
        disabled={isRemoved}
        value={editor.textOfCell(row, column)}
        onChange={(event) => type(event.target.value)}
      />
      {problem && (
        <ErrorText size="xs" className={styles.problem} id={problemId}>
          {problem}
        </ErrorText>
      )}
    </td>
  )
}

function isEditedCell({ edits }: ProductEditor, row: string, column: VariantTableColumn): boolean {
  if (row !== PRODUCT_ROW) return row in edits.added || column in (edits.variants[row] ?? {})
  return column in edits.product
}
