import type { ReactNode } from 'react'
import { Hint, Text } from '#app/ui/layout.tsx'
import type { OutlineShape } from '../catalogue/measured-lure.ts'
import { LureOutline } from './lure-outline.tsx'
import styles from './size-guide.module.css'

export interface SizeRow {
  key: string
  name: ReactNode
  lengthMm: number
  shape: OutlineShape
  /** Shown under the name. */
  more?: string
}

interface SizeTableProps {
  caption: string
  nameColumn: string
  rows: readonly SizeRow[]
  scaleMm: number
}

export function SizeTable({ caption, nameColumn, rows, scaleMm }: SizeTableProps) {
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{nameColumn}</th>
          <th scope="col">Length</th>
          <th scope="col" className={styles.drawing}>
            To scale
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, lengthMm, shape, more }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              {more && <Hint className={styles.more}>{more}</Hint>}
            </th>
            <Text as="td" display noWrap size="title-m" className={styles.length}>
              {lengthMm}mm
            </Text>
            <td className={styles.drawing}>
              <LureOutline shape={shape} lengthMm={lengthMm} scaleMm={scaleMm} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
