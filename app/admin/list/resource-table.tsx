import type { MouseEvent, ReactNode } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import styles from './resource-table.module.css'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** Figures stand right-aligned under each other; actions stand at the end, without a visible heading on a phone. */
  kind?: 'figure' | 'actions'
}

interface TableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
  /** A click anywhere on the row; the row must hold a link or button that does the same for the keyboard. */
  onOpen?: (row: Row) => void
}

/** A table on a desk, cards on a phone: each cell then carries its column's name. */
export function ResourceTable<Row>({ caption, columns, rows, keyOf, onOpen }: TableProps<Row>) {
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {columns.map(({ label, kind }) => (
              <th key={label} scope="col" className={kind && styles[kind]}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} columns={columns} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TableRow<Row>({ row, columns, onOpen }: Pick<TableProps<Row>, 'columns' | 'onOpen'> & { row: Row }) {
  const open = (event: MouseEvent) => {
    if (!isOnControl(event.target)) onOpen?.(row)
  }

  return (
    // The keyboard has the link in the row; the whole row is for the thumb.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr className={classNames(styles.row, onOpen && styles.opens)} onClick={onOpen && open}>
      {columns.map(({ label, cell, kind }) => (
        <td key={label} className={kind && styles[kind]} data-label={label}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

function isOnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, select, input, label, dialog') !== null
}
