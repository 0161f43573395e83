import type { ReactNode } from 'react'
import styles from './table.module.css'

interface TableProps {
  /** Names the table for who cannot see it. */
  caption: string
  /** Left out where each row explains itself: the first cell is then its name. */
  columns?: readonly string[]
  rows: readonly (readonly [name: string, ...cells: ReactNode[]])[]
}

/** Facts in rows; on a phone, where columns do not fit, each row stands on its own under its name. */
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
              // oxlint-disable-next-line react/no-array-index-key -- a cell is known by its column
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
