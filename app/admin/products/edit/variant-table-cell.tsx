import { useId } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { ErrorText, Hint } from '#app/ui/layout.tsx'
import { columnLabel, type VariantTableColumn } from './paste.ts'
import styles from './variant-table.module.css'
import type { ProductEditor } from './use-product-editor.ts'

interface CellProps {
  row: string
  /** Names the row in the input's accessible name. */
  rowName: string
  column: VariantTableColumn
  editor: ProductEditor
  isRemoved?: boolean
  hint?: string | null
}

/** The input modes of the columns with numbers. */
export const INPUT_MODES: Partial<Record<VariantTableColumn, 'decimal' | 'numeric'>> = {
  price: 'decimal',
  price_with_hooks: 'decimal',
  stock_quantity: 'numeric',
}

/** An input of the variant table, with its error message. */
export function VariantTableCell({ row, rowName, column, editor, isRemoved, hint }: CellProps) {
  const problemId = useId()
  const hintId = useId()
  const problem = editor.problems[row]?.[column]
  const isEdited = editor.edits.added.includes(row) || column in (editor.edits.cells[row] ?? {})
  const label = columnLabel(column)

  return (
    <td
      className={classNames(
        styles.cell,
        styles[column],
        column in INPUT_MODES && styles.number,
        isEdited && styles.edited,
      )}
      data-label={label}
    >
      <input
        data-row={row}
        data-column={column}
        aria-label={`${label}, ${rowName}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={classNames(hint && hintId, problem && problemId) || undefined}
        inputMode={INPUT_MODES[column] ?? 'text'}
        placeholder={column === 'price_with_hooks' ? 'Not sold' : undefined}
        autoComplete="off"
        spellCheck={false}
        disabled={isRemoved}
        value={editor.textOfCell(row, column)}
        onChange={(event) => editor.editCell({ row, column, typed: event.target.value })}
      />
      {hint && (
        <Hint size="xs" className={styles.note} id={hintId}>
          {hint}
        </Hint>
      )}
      <ErrorText size="xs" className={styles.problem} id={problemId}>
        {problem}
      </ErrorText>
    </td>
  )
}
