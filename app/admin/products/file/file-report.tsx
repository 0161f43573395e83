import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { textOf } from '../edit/edits.ts'
import { countOf, type JudgedFile, type RowReport } from './catalogue-file.ts'
import { cellText, headOf } from './file-columns.ts'
import styles from './file.module.css'

const LOOKS: Record<RowReport['outcome'], { label: string; tone: BadgeTone }> = {
  wrong: { label: 'Wrong', tone: 'danger' },
  new: { label: 'New', tone: 'success' },
  changed: { label: 'Changed', tone: 'warning' },
  same: { label: 'Unchanged', tone: 'neutral' },
}
const SHOWN_AT_MOST = 200

/** What would become of each row; those that stay as they are are only counted. */
export function FileReport({ file, action }: { file: JudgedFile; action: ReactNode }) {
  const { report } = file
  const wrong = countOf(report, 'wrong')
  const telling = report
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => row.outcome === 'wrong' || (wrong === 0 && row.outcome !== 'same'))

  return (
    <div className={styles.report}>
      <h3>{file.name}</h3>
      <p role="status">
        {countOf(report, 'new')} new, {countOf(report, 'changed')} changed, {countOf(report, 'same')}{' '}
        unchanged, <strong>{wrong} wrong</strong>.{' '}
        {wrong > 0 ? 'Nothing is written while a row is wrong.' : 'Nothing is written yet.'}
      </p>
      {telling.length > 0 && (
        <ul className={styles.rows} aria-label="Rows of the file">
          {telling.slice(0, SHOWN_AT_MOST).map(({ row, at }) => (
            <li key={at}>
              <p className={styles.rowHead}>
                <Badge tone={LOOKS[row.outcome].tone}>{LOOKS[row.outcome].label}</Badge> Row {at + 2}:{' '}
                {rowName(file, at)}
              </p>
              <RowWords row={row} />
            </li>
          ))}
        </ul>
      )}
      {telling.length > SHOWN_AT_MOST && <p>And {telling.length - SHOWN_AT_MOST} more.</p>}
      {action}
    </div>
  )
}

function RowWords({ row }: { row: RowReport }) {
  if (row.outcome === 'wrong')
    return (
      <ul className={styles.cells}>
        {Object.entries(row.problems).map(([column, problem]) => (
          <li key={column} className={styles.problem}>
            {headOf(column)}: {problem}
          </li>
        ))}
      </ul>
    )
  return (
    <ul className={styles.cells}>
      {Object.entries(row.changes).map(([column, [was, now]]) => (
        <li key={column}>
          {headOf(column)}: <s>{shown(was)}</s> <strong>{shown(now)}</strong>
        </li>
      ))}
    </ul>
  )
}

/** The spreadsheet counts its heads as row 1. */
function rowName({ rows }: JudgedFile, at: number): string {
  const row = rows[at]
  return [row?.['name'] ?? row?.['lure'], row?.['colour_name'] ?? row?.['colour']]
    .map((part) => cellText(part))
    .filter(Boolean)
    .join(', ')
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return cellText(value)
  const text = textOf(value)
  if (text === '') return 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
