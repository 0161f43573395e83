import type { ClientBase, Pool } from 'pg'
import { z } from 'zod'

type Query = [text: string, ...values: unknown[]]

/**
 * Runs a query, also one with `returning`, and validates its rows, whose type is that of the schema. Throws when a row differs from it.
 * A schema is compiled at its first use, which takes longer than most queries: create it once per module.
 */
export async function selectRows<Row extends z.ZodType>(
  database: Pool | ClientBase,
  row: Row,
  [text, ...values]: Query,
): Promise<z.infer<Row>[]> {
  const { rows } = await database.query(text, values)
  return rows.map((each: unknown) => row.parse(each))
}

/** Returns the first row. Throws when there is none. */
export async function selectRow<Row extends z.ZodType>(
  database: Pool | ClientBase,
  row: Row,
  query: Query,
): Promise<z.infer<Row>> {
  const [first] = await selectRows(database, row, query)
  if (!first) throw new Error(`no row: ${query[0]}`)
  return first
}

export const idRow = z.object({ id: z.string() })

/** Any JSON object. Not copied, unlike a `z.record`. */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)
