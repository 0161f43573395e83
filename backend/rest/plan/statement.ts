import { sql, type Sql } from '../sql.ts'

export interface MainStatement {
  /** The common table expression that writes or calls, if there is one: `source`. */
  source?: Sql
  page: Sql
  /** All rows there are, not only the page's. */
  total?: Sql
  body: Sql
  extra?: Sql
}

/** One row that holds everything the answer is made of. */
export function mainStatement({ source, page, total = NULL, body, extra = NULL }: MainStatement): Sql {
  const before = source ? sql`with source as (${source}) ` : sql``
  return sql`${before}select ${total} as total, count(*) as page_rows, ${body} as body, ${extra} as extra, ${RESPONSE}
    from (${page}) as page`
}

const NULL = sql`null`

const RESPONSE = sql`nullif(current_setting('response.headers', true), '') as response_headers,
  nullif(current_setting('response.status', true), '') as response_status`
