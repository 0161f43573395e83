import type { Pool } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import { readableColumns, type PublishedTable } from './published-table.ts'
import { changeKind } from './subscription.ts'

const changedRow = z.object({
  id: z.string(),
  kind: changeKind,
  /** The primary key as a JSON object. */
  key: z.string(),
  at: z.string(),
  isTooLarge: z.boolean(),
})

export type ChangedRow = z.infer<typeof changedRow>

/** Subscribers with the same role and selected columns receive the same text. */
export interface MessageVariant {
  role: string
  selected: string[] | null
}

const DESCRIBE = `
  select id::text, kind, coalesce(realtime_feed.only(coalesce(record, old_record), $2), '{}')::text as key,
    to_char(written_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, is_too_large as "isTooLarge"
  from realtime_feed.entries where id = any($1::bigint[])`

export async function describeChanges(
  owner: Pool,
  { key }: PublishedTable,
  entryIds: string[],
): Promise<Map<string, ChangedRow>> {
  const rows = await selectRows(owner, changedRow, [DESCRIBE, entryIds, key])
  return new Map(rows.map((row) => [row.id, row]))
}

const recordRow = z.object({ id: z.string(), record: z.string().nullable(), old: z.string().nullable() })

/** Returns the `data` of each change as JSON text by entry id, in order. Does not parse PostgreSQL's JSON: numbers would lose digits. */
export async function recordsFor(
  owner: Pool,
  relation: PublishedTable,
  { variant, rows }: { variant: MessageVariant; rows: ChangedRow[] },
): Promise<Map<string, string>> {
  const { role, selected } = variant
  const isSent = (name: string) => !selected || selected.includes(name) || relation.key.includes(name)
  const columns = readableColumns(relation, role).filter(({ name }) => isSent(name))
  const names = columns.map(({ name }) => name)
  // Policies cannot be checked for a deleted row, so only its key is sent.
  const ofDeleted = relation.hasPolicies ? relation.key.filter((name) => names.includes(name)) : names
  const records = await selectRows(owner, recordRow, [
    `select id::text, realtime_feed.only(record, $2)::text as record,
       realtime_feed.only(old_record, case when kind = 'delete' then $3::text[] else $2::text[] end)::text as old
     from realtime_feed.entries where id = any($1::bigint[]) order by entries.id`,
    rows.map(({ id }) => id),
    names,
    ofDeleted,
  ])
  const described = JSON.stringify(columns.map(({ name, type }) => ({ name, type })))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    records.flatMap(({ id, record, old }) => {
      const row = byId.get(id)
      return row ? [[id, dataOf(relation, row, { columns: described, record, old })] as const] : []
    }),
  )
}

interface JsonTexts {
  columns: string
  record: string | null
  old: string | null
}

function dataOf(
  { schema, name, key }: PublishedTable,
  { kind, at, isTooLarge }: ChangedRow,
  texts: JsonTexts,
): string {
  const head = { schema, table: name, type: kind.toUpperCase(), commit_timestamp: at }
  if (kind !== 'delete' && key.length === 0) {
    return JSON.stringify({ ...head, errors: ['Error 400: Bad Request, no primary key'] })
  }
  const members = [
    JSON.stringify(head).slice(1, -1),
    `"columns":${texts.columns}`,
    ...(kind === 'delete' ? [] : [`"record":${texts.record ?? '{}'}`]),
    ...(kind === 'insert' ? [] : [`"old_record":${texts.old ?? '{}'}`]),
    `"errors":${isTooLarge ? '["Error 413: Payload Too Large"]' : 'null'}`,
  ]
  return `{${members.join(',')}}`
}
