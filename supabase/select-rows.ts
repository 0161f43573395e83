import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

/** Runs a query as the process and validates its rows, whose type is that of the schema. Throws when a row differs from it. */
export async function selectRows<Row extends z.ZodType>(
  database: Pool | PoolClient,
  row: Row,
  [text, ...values]: [text: string, ...values: unknown[]],
): Promise<z.infer<Row>[]> {
  const { rows } = await database.query(text, values)
  return z.array(row).parse(rows)
}
