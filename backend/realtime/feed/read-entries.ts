import type { Pool } from 'pg'

import type { ChangeKind } from '../changes/subscription.ts'

export interface Entry {
  id: string
  kind: ChangeKind | 'lost' | 'message'
  relation: number
  /** Of a message: the channel's name, what travels with it, and what was said as JSON text. */
  topic: string | null
  message: Message | null
  payload: string | null
}

export interface Message {
  event: string
  isPrivate: boolean
  isPresence?: boolean
  /** The connection that said it, unless it wants to hear itself. */
  except?: string
  /** In the place of a payload, base64. */
  bytes?: string
  meta?: { id: string }
}

export interface Reading {
  /** The snapshot up to which everything was read, or null to begin with what comes next. */
  since: string | null
  upTo: string | null
  after: string
}

export const PAGE = 200

/**
 * What became visible between two snapshots. Neither ids nor times would do: a transaction that began early and
 * commits late writes low numbers that appear after higher ones.
 */
export async function readEntries(
  owner: Pool,
  { since, upTo, after }: Reading,
): Promise<{ upTo: string; entries: Entry[] }> {
  const { rows } = await owner.query<{ upTo: string } & (Entry | { id: null })>(
    `select m.up_to::text as "upTo", e.id::text, e.kind, e.relation, e.topic, e.message, e.payload::text
     from (select coalesce($2::pg_snapshot, pg_current_snapshot()) as up_to) m
     left join lateral (
       select * from realtime_feed.entries
       where transaction >= pg_snapshot_xmin($1::pg_snapshot) and id > $3::bigint
         and not pg_visible_in_snapshot(transaction, $1::pg_snapshot) and pg_visible_in_snapshot(transaction, m.up_to)
       order by id limit ${PAGE}
     ) e on true
     order by e.id`,
    [since, upTo, after],
  )
  return { upTo: rows[0]?.upTo ?? upTo ?? '', entries: rows.filter((row) => row.id !== null) }
}

/** Drops what every process has had time to read: transactions that were over at that snapshot. */
export async function dropEntries(owner: Pool, { readBefore }: { readBefore: string }): Promise<void> {
  await owner.query(
    `delete from realtime_feed.entries where transaction < pg_snapshot_xmin($1::pg_snapshot)`,
    [readBefore],
  )
}

export async function currentSnapshot(owner: Pool): Promise<string> {
  const { rows } = await owner.query<{ now: string }>('select pg_current_snapshot()::text as now')
  if (!rows[0]) throw new Error('PostgreSQL gave no snapshot')
  return rows[0].now
}
