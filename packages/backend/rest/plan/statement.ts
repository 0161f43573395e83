import { internal, sql, type Sql } from '../sql.ts'

export interface MainStatement {
  /** The write or call, if any; the page selects from it as `SOURCE`. */
  source?: Sql
  page: Sql
  /** Number of all rows, not only the page's. */
  total?: Sql
  body: Sql
  extra?: Sql
}

/** Returns one row with everything that the response needs. */
export function mainStatement({ source, page, total = NULL, body, extra = NULL }: MainStatement): Sql {
  const before = source ? sql`with ${SOURCE} as (${source}) ` : sql``
  return sql`${before}select ${total}, count(*), ${body}, ${extra}, ${RESPONSE} from (${page}) as ${PAGE}`
}

/** The common table expression of a statement that writes or calls. */
export const SOURCE = internal('source')

/** The returned rows; `body` is evaluated over them. */
export const PAGE = internal('page')

const NULL = sql`null`

const RESPONSE = sql`nullif(current_setting('response.headers', true), ''),
  nullif(current_setting('response.status', true), '')`
