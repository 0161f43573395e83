import type { Pool } from 'pg'
import { z } from 'zod'

import { asText, selectRows, selectValue } from '#backend/database/select-rows.ts'

import { changeKind } from '../changes/subscription.ts'

const feedMessage = z.object({
  event: z.string(),
  isPrivate: z.boolean(),
  isPresence: z.boolean().optional(),
  /** Id of the sending connection, if it does not receive its own messages. */
  except: z.string().optional(),
  /** Base64; replaces the payload. */
  bytes: z.string().optional(),
  meta: z.object({ id: z.string() }).optional(),
})

const ofPage = { upTo: z.string(), id: z.string() }

const pageRow = z.discriminatedUnion('kind', [
  z.object({ ...ofPage, kind: changeKind, relation: z.number() }),
  z.object({ ...ofPage, kind: z.literal('lost'), relation: z.number() }),
  z.object({
    ...ofPage,
    kind: z.literal('message'),
    /** The channel's name. */
    topic: z.string(),
    message: feedMessage,
    /** JSON text. */
    payload: z.string().nullable(),
  }),
  /** The only row of a page without entries. */
  z.object({ upTo: z.string(), kind: z.null() }),
])

export type FeedEntry = Exclude<z.infer<typeof pageRow>, { kind: null }>
export type FeedMessage = z.infer<typeof feedMessage>

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
  const rows = await selectRows(owner, pageRow, [
    `select m.up_to::text as "upTo", e.id::text, e.kind, e.relation, e.topic, e.message, e.payload::text
     from (select coalesce($2::pg_snapshot, pg_current_snapshot()) as up_to) m
     left join lateral (
       select * from realtime_feed.entries
       where transaction >= pg_snapshot_xmin($1::pg_snapshot) and id > $3::bigint
         and not pg_visible_in_snapshot(transaction, $1::pg_snapshot) and pg_visible_in_snapshot(transaction, m.up_to)
       order by id limit ${FEED_PAGE_SIZE}
     ) e on true
     order by e.id`,
    since,
    upTo,
    after,
  ])
  return { upTo: rows[0]?.upTo ?? upTo ?? '', entries: rows.filter((row) => row.kind !== null) }
}

/** Deletes the entries of transactions that had ended at the snapshot. */
export async function dropEntries(owner: Pool, { readBefore }: { readBefore: string }): Promise<void> {
  await owner.query(
    `delete from realtime_feed.entries where transaction < pg_snapshot_xmin($1::pg_snapshot)`,
    [readBefore],
  )
}

export function currentSnapshot(owner: Pool): Promise<string> {
  return selectValue(owner, asText, ['select pg_current_snapshot()::text'])
}
