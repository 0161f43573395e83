import type { Pool } from 'pg'

import type { ChangeKind } from '../changes/subscription.ts'

export interface FeedEntry {
  id: string
  kind: ChangeKind | 'lost' | 'message'
  relation: number
  /** Channel name of a message; null for a change. */
  topic: string | null
  message: FeedMessage | null
  /** JSON text. */
  payload: string | null
}

export interface FeedMessage {
  event: string
  isPrivate: boolean
  isPresence?: boolean
  /** Id of the sending connection, if it does not receive its own messages. */
  except?: string
  /** Base64; replaces the payload. */
  bytes?: string
  meta?: { id: string }
}

export interface ReadPosition {
  /** Entries that are visible in this snapshot have been read; null starts with the next ones. */
  since: string | null
  upTo: string | null
  after: string
}

export const FEED_PAGE_SIZE = 200

/**
 * Returns the entries that became visible between two snapshots. Ids or times would miss entries: a long transaction writes low
 * ids that become visible after higher ones.
 */
export async function readEntries(
  owner: Pool,
  { since, upTo, after }: ReadPosition,
): Promise<{ upTo: string; entries: FeedEntry[] }> {
  const { rows } = await owner.query<{ upTo: string } & (FeedEntry | { id: null })>(
    `select m.up_to::text as "upTo", e.id::text, e.kind, e.relation, e.topic, e.message, e.payload::text
     from (select coalesce($2::pg_snapshot, pg_current_snapshot()) as up_to) m
     left join lateral (
       select * from realtime_feed.entries
       where transaction >= pg_snapshot_xmin($1::pg_snapshot) and id > $3::bigint
         and not pg_visible_in_snapshot(transaction, $1::pg_snapshot) and pg_visible_in_snapshot(transaction, m.up_to)
       order by id limit ${FEED_PAGE_SIZE}
     ) e on true
     order by e.id`,
    [since, upTo, after],
  )
  return { upTo: rows[0]?.upTo ?? upTo ?? '', entries: rows.filter((row) => row.id !== null) }
}

/** Deletes the entries of transactions that had ended at the snapshot. */
export async function dropEntries(owner: Pool, { readBefore }: { readBefore: string }): Promise<void> {
  await owner.query(
    `delete from realtime_feed.entries where transaction < pg_snapshot_xmin($1::pg_snapshot)`,
    [readBefore],
  )
}

export async function currentSnapshot(owner: Pool): Promise<string> {
  const { rows } = await owner.query<{ now: string }>('select pg_current_snapshot()::text as now')
  if (!rows[0]) throw new Error('PostgreSQL returned no snapshot')
  return rows[0].now
}
