import type { Preferences } from '../request/preferences.ts'
import type { RowRange } from '../request/range.ts'
import { bind, internal, list, sql, toTemplate, type Sql } from '../sql.ts'

const MATCHING = internal('matching')
const COUNTED = internal('counted')
const EXPECTED = internal('expected')
const TOTAL = internal('total')

interface Counted {
  matchingRows: () => Sql
  /** The rows that are given of them. */
  page: RowRange
  maxRows: number | null
}

/** What the planner puts beyond so many times the row limit is not counted up to the limit first. */
const SURELY_BEYOND = 10

/**
 * All rows there are, beside `count(*)` of a page of them. `exact` counts; `planned` takes the planner's guess; `estimated`
 * counts up to the row limit and takes the guess beyond it. A page that is not full is the last one: it says itself how
 * many there are, and nothing is counted.
 */
export function countRows(
  kind: Preferences['count'],
  { matchingRows, page, maxRows }: Counted,
): Sql | undefined {
  if (kind === undefined) return undefined
  const matching = matchingRows()
  if (kind === 'planned') return expected(matching)
  if (kind === 'exact' || maxRows === null) return unlessSeen(page, counted(matching))
  return unlessSeen(page, estimated(matching, maxRows))
}

function counted(matching: Sql): Sql {
  return sql`(select count(*) from (${matching}) as ${MATCHING})`
}

/** Planned as the caller, with the values themselves instead of places for them. */
function expected(matching: Sql): Sql {
  const { text, values } = toTemplate(matching)
  return sql`rest.expected_rows(${bind(text)}, array[${list(values.map(bind))}]::text[])`
}

function estimated(matching: Sql, maxRows: number): Sql {
  const most = bind(String(maxRows))
  const beyond = bind(String(maxRows * SURELY_BEYOND))
  const some = sql`${matching} limit ${bind(String(maxRows + 1))}`
  const guess = sql`${EXPECTED}.${TOTAL}`
  const count = sql`${COUNTED}.${TOTAL}`
  return sql`(select case when ${count} > ${most} or ${guess} > ${beyond} then greatest(${count}, ${guess}) else ${count} end
      from ${expected(matching)} as ${EXPECTED} (${TOTAL}),
        lateral (select count(*) as ${TOTAL} from (${some}) as ${MATCHING} where ${guess} <= ${beyond}) as ${COUNTED})`
}

/** Where the page ends there are at least so many rows, whatever the planner expects. */
function unlessSeen({ offset, limit }: RowRange, total: Sql): Sql {
  const seen = sql`${bind(String(offset))} + count(*)`
  const isSome = offset === 0 ? sql`true` : sql`count(*) > 0`
  const isLast = limit === null ? isSome : sql`${isSome} and count(*) < ${bind(String(limit))}`
  return sql`case when ${isLast} then ${seen}
      else greatest(case when count(*) > 0 then ${seen} end, ${total}) end`
}
