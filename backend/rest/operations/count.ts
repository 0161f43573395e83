import type { Row } from '#backend/database/pipeline.ts'

import type { Preferences } from '../request/preferences.ts'
import { bind, sql, type Sql } from '../sql.ts'

export interface Count {
  /** Goes into the main statement. */
  total?: Sql
  /** Asks the planner for its guess, in a statement of its own. */
  explain?: Sql
  /** `seen` is where the page that was read ends: a guess is never below it. */
  totalFrom(exact: number | null, rows: Row[][], seen: number): number | null
}

/**
 * `exact` counts, `planned` takes the planner's guess, and `estimated` counts up to the row limit and takes the guess
 * beyond it.
 */
export function countRows(
  kind: Preferences['count'],
  matchingRows: () => Sql,
  maxRows: number | null,
): Count {
  if (kind === undefined) return NOT_COUNTED
  const matching = matchingRows()
  switch (kind) {
    case 'exact':
      return { total: sql`(select count(*) from (${matching}) as matching)`, totalFrom: (exact) => exact }
    case 'planned':
      return { explain: sql`explain (format json) ${matching}`, totalFrom: (_, rows) => planned(rows) }
    case 'estimated': {
      if (maxRows === null) return countRows('exact', () => matching, maxRows)
      const some = sql`${matching} limit ${bind(String(maxRows + 1))}`
      return {
        total: sql`(select count(*) from (${some}) as matching)`,
        explain: sql`explain (format json) ${matching}`,
        totalFrom: (exact, rows, seen) =>
          exact !== null && exact > maxRows ? Math.max(exact, planned(rows) ?? 0, seen) : exact,
      }
    }
  }
}

const NOT_COUNTED: Count = { totalFrom: () => null }

function planned(rows: Row[][]): number | null {
  const text = rows[1]?.map(([line]) => line).join('\n') ?? ''
  const [explained]: [{ Plan: { 'Plan Rows': number } }] = JSON.parse(text)
  return explained.Plan['Plan Rows']
}
