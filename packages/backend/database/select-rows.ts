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

/** Returns the first row, or null. */
export async function findRow<Row extends z.ZodType>(
  database: Pool | ClientBase,
  row: Row,
  query: Query,
): Promise<z.infer<Row> | null> {
  const [first] = await selectRows(database, row, query)
  return first ?? null
}

/** Returns the first row. Throws when there is none. */
export async function selectRow<Row extends z.ZodType>(
  database: Pool | ClientBase,
  row: Row,
  query: Query,
): Promise<z.infer<Row>> {
  return (await findRow(database, row, query)) ?? fail(query)
}

/** Returns the first column of each row. */
export async function selectValues<Value extends z.ZodType>(
  database: Pool | ClientBase,
  value: Value,
  [text, ...values]: Query,
): Promise<z.infer<Value>[]> {
  const { rows } = await database.query({ text, values, rowMode: 'array' })
  return rows.map(([first]: unknown[]) => value.parse(first))
}

/** Returns the first column of the first row. Throws when there is no row. */
export async function selectValue<Value extends z.ZodType>(
  database: Pool | ClientBase,
  value: Value,
  query: Query,
): Promise<z.infer<Value>> {
  const [found] = await selectValues(database, value, query)
  return found === undefined ? fail(query) : found
}

function fail([text]: Query): never {
  throw new Error(`no row: ${text}`)
}

/** For single columns. */
export const asText = z.string()
export const asNumber = z.number()
export const asBoolean = z.boolean()

/** Any JSON object. Not copied, unlike a `z.record`. */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)
