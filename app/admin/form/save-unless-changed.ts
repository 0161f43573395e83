import type { SupabaseClient } from '@supabase/supabase-js'
import { queryBackend } from '#app/data/query-backend.ts'
import { relativeDate } from '../../ui/relative-date.ts'
import { backendError } from '#app/data/backend-error.ts'

/** A row whose `updated_at` serves as its version. */
export interface Versioned {
  id: string
  updated_at: string
}

/** Someone else has saved the row since the form was opened; `now` is the current row. */
export class EditConflict extends Error {
  readonly now: Versioned & Record<string, unknown>
  readonly table: VersionedTable

  constructor(table: VersionedTable, now: EditConflict['now'], editor: string | null) {
    super(
      `${editor ?? 'Someone'} changed this ${relativeDate(new Date(now.updated_at), new Date())}. Your changes are not saved yet.`,
    )
    this.now = now
    this.table = table
  }
}

export type VersionedTable =
  | 'courier_companies'
  | 'gallery_submissions'
  | 'products'
  | 'profiles'
  | 'promo_codes'
  | 'shop_settings'

interface Save {
  table: VersionedTable
  /** The row as it was when the form was opened. */
  seen: Versioned
  values: object
}

/**
 * Saves with optimistic locking. Throws an `EditConflict` if someone else has changed one of these columns since `seen`. Changes to
 * other columns are no conflict. Nor is a column that already holds the value to save: a form whose response was lost is sent again.
 */
export async function saveUnlessChanged({ table, seen, values }: Save): Promise<void> {
  // The untyped client, because the typed one accepts a single table only.
  const saved = await queryBackend((backend: Pick<SupabaseClient, 'from'>) =>
    backend.from(table).update(values).eq('id', seen.id).eq('updated_at', seen.updated_at).select('id'),
  )
  if (saved.length > 0) return

  const now: EditConflict['now'] | null = await queryBackend((backend: Pick<SupabaseClient, 'from'>) =>
    backend.from(table).select('*').eq('id', seen.id).maybeSingle(),
  )
  if (!now) throw new Error('This was deleted in the meantime.')
  if (now.updated_at !== seen.updated_at && !isOverwriting(values, { seen, now })) {
    return saveUnlessChanged({ table, seen: now, values })
  }
  throw new EditConflict(table, now, await editorOf(now))
}

function isOverwriting(values: object, { seen, now }: { seen: object; now: object }): boolean {
  const [before, after] = [new Map(Object.entries(seen)), new Map(Object.entries(now))]
  return Object.entries(values).some(([column, value]) => {
    const saved = after.get(column)
    return !isSameValue(saved, before.get(column)) && !isSameValue(saved, value)
  })
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)$/

/** The text of a time depends on the time zone of the database. */
function isSameValue(one: unknown, other: unknown): boolean {
  const areMoments = [one, other].every((value) => typeof value === 'string' && MOMENT.test(value))
  return areMoments
    ? Date.parse(String(one)) === Date.parse(String(other))
    : JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the name of the user who saved this version; null when that is not recorded, as for customers. */
async function editorOf({ updated_at }: Versioned): Promise<string | null> {
  // Both are the time of the transaction, and a transaction has one actor.
  const [change] = await queryBackend((backend) =>
    backend.from('history').select('actor_name').eq('changed_at', updated_at).limit(1),
  )
  return change?.actor_name ?? null
}

/** Returns the name of the constraint that made a save fail; `null` for any other error. */
export function violatedConstraint(error: Error | null): string | null {
  return /constraint "(\w+)"/.exec(backendError(error)?.message ?? '')?.[1] ?? null
}
