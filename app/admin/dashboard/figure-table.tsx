import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './sales.module.css'

export interface FigureRow {
  key: string
  name: ReactNode
  /** The orders behind the figures. */
  to: string
  /** The row's share of the highest one, shown as a bar. */
  share?: number
  figures: ReactNode[]
}

interface Props {
  heads: string[]
  rows: FigureRow[]
}

/** A table of figures, each row with a link to its orders. */
export function FigureTable({ heads, rows }: Props) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, to, share, figures }) => (
          <tr key={key}>
            <th scope="row">
              <Link to={to}>{name}</Link>
              {share !== undefined && <Share of={share} />}
            </th>
            {figures.map((figure, at) => (
              <td key={heads[at + 1]}>{figure}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Hidden from screen readers, because the table has the figures. */
function Share({ of }: { of: number }) {
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={styles.share} aria-hidden>
      <rect width={100 * Math.max(0, of)} height={4} />
    </svg>
  )
}
