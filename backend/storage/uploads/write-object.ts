import type { PoolClient } from 'pg'

import { inTransaction } from '#backend/database/transaction.ts'
import type { ObjectAddress, ObjectMetadata } from '../objects/object-row.ts'
import { removeContent } from '../objects/remove-objects.ts'
import { asAsked, type Asked, type StorageParts } from '../parts.ts'

type Target = ObjectAddress & { isUpsert: boolean }

/**
 * Asks the policies, by writing the row as the caller and taking it back, before a byte is accepted. Returns the
 * caller's user id: what is then written in the service's name belongs to them.
 */
export async function requireMayWrite(
  storage: StorageParts,
  asked: Asked,
  target: Target,
): Promise<string | null> {
  return asAsked(storage, asked, async (client, caller) => {
    await client.query('savepoint attempt')
    await client.query(
      `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
       values ($1, $2, $3::uuid, $3::text, 'attempt', '{}') ${onConflict(target)}`,
      [target.bucket, target.path, caller.userId],
    )
    await client.query('rollback to savepoint attempt')
    return caller.userId
  })
}

export interface ObjectToWrite extends Target {
  owner: string | null
  version: string
  metadata: ObjectMetadata
  userMetadata: Record<string, unknown> | null
}

/** Runs in the transaction that writes the object's row: both or neither. */
export type AlongWithRow = (client: PoolClient) => Promise<void>

/** The row for bytes that are already on the disk; those of the version it replaces go. */
export async function writeObject(
  storage: StorageParts,
  object: ObjectToWrite,
  along?: AlongWithRow,
): Promise<{ id: string }> {
  const { id, replaced } = await inTransaction(storage.database.owner, async (client) => {
    const known = object.isUpsert ? await lockVersion(client, object) : null
    const { rows } = await client.query<{ id: string }>(
      `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
       values ($1, $2, $3::uuid, $3::text, $4, $5, $6) ${onConflict(object)}
       returning id`,
      [object.bucket, object.path, object.owner, object.version, object.metadata, object.userMetadata],
    )
    await along?.(client)
    return { id: rows[0]?.id ?? '', replaced: known }
  })
  if (replaced) await removeContent(storage, replaced)
  return { id }
}

function onConflict({ isUpsert }: Target): string {
  if (!isUpsert) return ''
  return `on conflict (bucket_id, name) do update set
    version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
    owner = excluded.owner, owner_id = excluded.owner_id, updated_at = now()`
}

async function lockVersion(client: PoolClient, { bucket, path }: ObjectAddress): Promise<string | null> {
  const { rows } = await client.query<{ version: string | null }>(
    'select version from storage.objects where bucket_id = $1 and name = $2 for update',
    [bucket, path],
  )
  return rows[0]?.version ?? null
}
