import type { Client } from 'pg'
import { z } from 'zod'
import { selectRow } from '../select-rows.ts'
import type { CopiedTable } from './tables.ts'

const contentRow = z.object({ rows: z.number(), hash: z.string() })

/** Number of rows, and a sum of their hashes, which does not depend on their order. */
type Content = z.infer<typeof contentRow>

const sequenceRow = z.object({ last_value: z.string(), is_called: z.boolean() })

export type SequenceState = z.infer<typeof sequenceRow>

/** `md5`, because `hashtext` may differ between versions and platforms. */
export function contentOf(client: Client, { name, columns }: CopiedTable): Promise<Content> {
  return selectRow(client, contentRow, [
    `select count(*)::float8 as rows,
       coalesce(sum(('x' || left(md5(row(${columns.join(', ')})::text), 16))::bit(64)::bigint::numeric), 0)::text as hash
     from only ${name}`,
  ])
}

export function sequenceState(client: Client, name: string): Promise<SequenceState> {
  return selectRow(client, sequenceRow, [`select last_value, is_called from ${name}`])
}

export function isEqual(one: Content, other: Content): boolean {
  return one.rows === other.rows && one.hash === other.hash
}
