import type { ReactNode } from 'react'
import styles from './table.module.css'

interface TableProps {
  caption: string
  /** Omit them when the rows explain themselves. */
  columns?: readonly string[]
  rows: readonly (readonly [name: string, ...cells: ReactNode[]])[]
}

/** On phones each row becomes a block under its name. */
export function Table({ caption, columns, rows }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{caption}</caption>
      {columns && (
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- cells are identified by their column
              <td key={place} data-column={columns?.[place + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
