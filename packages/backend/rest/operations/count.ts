import type { Preferences } from '../request/preferences.ts'
import type { RowRange } from '../request/range.ts'
import { bind, fromConfiguration, internal, list, sql, toTemplate, type Sql } from '../sql.ts'

const MATCHING = internal('matching')
const COUNTED = internal('counted')
const EXPECTED = internal('expected')
const TOTAL = internal('total')

interface Counted {
  matchingRows: () => Sql
  /** The returned range. */
  page: RowRange
  maxRows: number | null
  /** SQL condition; null is always true. Row-level security does not filter estimates. */
  mayEstimate: string | null
}

/** `estimated` skips the exact count when the planner expects more than this many times the row limit. */
const SKIP_COUNT_FACTOR = 10

/**
 * Returns SQL for the total number of rows. `exact` counts; `planned` uses the planner's estimate; `estimated` counts up to the row limit
 * and uses the estimate beyond it. Callers who may not see estimates get the exact count. A page that is not full is the last one, so the
 * total follows from it without counting.
 */
export function countExpression(
  kind: Preferences['count'],
  { matchingRows, page, maxRows, mayEstimate }: Counted,
): Sql | undefined {
  if (kind === undefined) return undefined
  const matching = matchingRows()
  const exact = counted(matching)
  const ifAllowed = (estimate: Sql, otherwise: Sql) =>
    mayEstimate === null
      ? estimate
      : sql`case when (${fromConfiguration(mayEstimate)}) then ${estimate} else ${otherwise} end`
  if (kind === 'planned') return ifAllowed(plannedRows(matching), unlessLastPage(page, exact))
  if (kind === 'exact' || maxRows === null) return unlessLastPage(page, exact)
  return unlessLastPage(page, ifAllowed(estimated(matching, maxRows), exact))
}

function counted(matching: Sql): Sql {
  return sql`(select count(*) from (${matching}) as ${MATCHING})`
}

/** Estimates as the caller, with literal values instead of parameters, for accurate selectivity. */
function plannedRows(matching: Sql): Sql {
  const { text, values } = toTemplate(matching)
  return sql`rest.expected_rows(${bind(text)}, array[${list(values.map(bind))}]::text[])`
}

function estimated(matching: Sql, maxRows: number): Sql {
  const limit = bind(String(maxRows))
  const threshold = bind(String(maxRows * SKIP_COUNT_FACTOR))
  const limited = sql`${matching} limit ${bind(String(maxRows + 1))}`
  const guess = sql`${EXPECTED}.${TOTAL}`
  const count = sql`${COUNTED}.${TOTAL}`
  return sql`(select case when ${count} > ${limit} or ${guess} > ${threshold} then greatest(${count}, ${guess}) else ${count} end
      from ${plannedRows(matching)} as ${EXPECTED} (${TOTAL}),
        lateral (select count(*) as ${TOTAL} from (${limited}) as ${MATCHING} where ${guess} <= ${threshold}) as ${COUNTED})`
}

/** The total of a last page is its end; for other pages the end is a lower bound of the estimate. */
function unlessLastPage({ offset, limit }: RowRange, total: Sql): Sql {
  const seen = sql`${bind(String(offset))} + count(*)`
  const isSome = offset === 0 ? sql`true` : sql`count(*) > 0`
  const isLast = limit === null ? isSome : sql`${isSome} and count(*) < ${bind(String(limit))}`
  return sql`case when ${isLast} then ${seen}
      else greatest(case when count(*) > 0 then ${seen} end, ${total}) end`
}
