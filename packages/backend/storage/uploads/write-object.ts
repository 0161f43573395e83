import type { PoolClient } from 'pg'

import { asText, selectValue, selectValues } from '#backend/database/select-rows.ts'
import { inTransaction } from '#backend/database/transaction.ts'
import type { ObjectAddress, ObjectMetadata } from '../objects/object-row.ts'
import { planRemoval } from '../objects/remove-content.ts'
import { runAsCaller, type CallerRequest, type StorageParts } from '../parts.ts'

type WriteTarget = ObjectAddress & { isUpsert: boolean }

/**
 * Checks the policies before any byte is accepted: writes the row as the caller and rolls back. Returns the caller's user id,
 * the owner of the object that the service writes later.
 */
export async function requireMayWrite(
  storage: StorageParts,
  asked: CallerRequest,
  target: WriteTarget,
): Promise<string | null> {
  return runAsCaller(storage, asked, async (client, caller) => {
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

export interface ObjectToWrite extends WriteTarget {
  owner: string | null
  version: string
  metadata: ObjectMetadata
  userMetadata: Record<string, unknown> | null
}

/** Runs in the transaction that writes the object's row. */
export type InSameTransaction = (client: PoolClient) => Promise<void>

/** Writes the row for bytes that are already stored, then removes the bytes of the replaced version. */
export async function writeObject(
  storage: StorageParts,
  object: ObjectToWrite,
  inSameTransaction?: InSameTransaction,
): Promise<{ id: string }> {
  const { id, removal } = await inTransaction(storage.database.owner, async (client) => {
    const known = object.isUpsert ? await lockVersion(client, object) : null
    const written = await selectValue(client, asText, [
      `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
       values ($1, $2, $3::uuid, $3::text, $4, $5, $6) ${onConflict(object)}
       returning id`,
      object.bucket,
      object.path,
      object.owner,
      object.version,
      object.metadata,
      object.userMetadata,
    ])
    await inSameTransaction?.(client)
    return { id: written, removal: await planRemoval(storage.files, known ? [known] : []) }
  })
  await removal.finish()
  return { id }
}

function onConflict({ isUpsert }: WriteTarget): string {
  if (!isUpsert) return ''
  return `on conflict (bucket_id, name) do update set
    version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
    owner = excluded.owner, owner_id = excluded.owner_id, updated_at = now()`
}

const versionColumn = asText.nullable()

async function lockVersion(client: PoolClient, { bucket, path }: ObjectAddress): Promise<string | null> {
  const [version = null] = await selectValues(client, versionColumn, [
    'select version from storage.objects where bucket_id = $1 and name = $2 for update',
    bucket,
    path,
  ])
  return version
}
