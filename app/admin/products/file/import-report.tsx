import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { Hint, Panel, Stack, Text } from '#app/ui/layout.tsx'
import { textOf } from '../edit/edits.ts'
import { countOf, countOverwrittenStock, type ImportPreview, type ImportRowReport } from './catalogue-file.ts'
import { cellText, headerOf, kindOf } from './file-columns.ts'
import styles from './file.module.css'

const LOOKS: Record<ImportRowReport['outcome'], { label: string; tone: BadgeTone }> = {
  wrong: { label: 'Wrong', tone: 'danger' },
  new: { label: 'New', tone: 'success' },
  changed: { label: 'Changed', tone: 'warning' },
  same: { label: 'Unchanged', tone: 'neutral' },
}
const MAX_ROWS = 200
/** Row 1 is the header. */
const FIRST_ROW = 2

/** The result of each row. Unchanged rows are counted, not listed; while a row is wrong, only wrong rows are listed. */
export function ImportReport({ preview, action }: { preview: ImportPreview; action: ReactNode }) {
  const { report } = preview
  const wrong = countOf(report, 'wrong')
  const overwritten = countOverwrittenStock(preview)
  const listed = report
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => row.outcome === 'wrong' || (wrong === 0 && row.outcome !== 'same'))

  return (
    <Stack gap={3} align="start" className={styles.report}>
      <h3>{preview.name}</h3>
      <p role="status">
        {countOf(report, 'new')} new, {countOf(report, 'changed')} changed, {countOf(report, 'same')}{' '}
        unchanged, <strong>{wrong} wrong</strong>.{' '}
        {wrong > 0 ? 'Nothing is imported while a row is wrong.' : 'Nothing is imported yet.'}
      </p>
      {overwritten > 0 && (
        <Panel as="p" kind="warning" size="s" role="status">
          This file sets the stock of {overwritten} {overwritten === 1 ? 'colour' : 'colours'}. It doesn’t say
          what was in stock when it was made, so check that nothing was sold since.
        </Panel>
      )}
      {listed.length > 0 && (
        <ul className={styles.rows} aria-label="Rows of the file">
          {listed.slice(0, MAX_ROWS).map(({ row, at }) => (
            <li key={at}>
              <Text weight={600}>
                <Badge tone={LOOKS[row.outcome].tone}>{LOOKS[row.outcome].label}</Badge> Row {at + FIRST_ROW}:{' '}
                {rowName(preview, at)}
              </Text>
              <RowDetails row={row} />
            </li>
          ))}
        </ul>
      )}
      {listed.length > MAX_ROWS && <p>And {listed.length - MAX_ROWS} more.</p>}
      {action}
    </Stack>
  )
}

function RowDetails({ row }: { row: ImportRowReport }) {
  return (
    <Hint as="ul" breakWords className={styles.cells}>
      {row.outcome === 'wrong'
        ? Object.entries(row.problems).map(([column, problem]) => (
            <Text as="li" tone="danger" weight={550} key={column}>
              {headerOf(column)}: {problem}
            </Text>
          ))
        : Object.entries(row.changes).map(([column, [was, now]]) => (
            <li key={column}>
              {headerOf(column)}: <s>{shown(column, was)}</s> <strong>{shown(column, now)}</strong>
            </li>
          ))}
    </Hint>
  )
}

function rowName({ rows }: ImportPreview, at: number): string {
  const row = rows[at]
  return [row?.['name'] ?? row?.['lure'], row?.['colour_name'] ?? row?.['colour']]
    .map((part) => cellText(part))
    .filter(Boolean)
    .join(', ')
}

function shown(column: string, value: unknown): string {
  const isCell = typeof value === 'boolean' || typeof value === 'string'
  const text = isCell ? cellText(value, kindOf(column)) : textOf(value)
  if (text === '') return 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
