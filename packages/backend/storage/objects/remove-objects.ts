import type { Context } from 'hono'
import { z } from 'zod'

import { selectValues } from '#backend/database/select-rows.ts'
import { StorageError } from '../errors.ts'
import { runAsCaller, type StorageParts } from '../parts.ts'
import { readJson } from '../request.ts'
import { objectAddress } from './public-object.ts'
import { planRemoval } from './remove-content.ts'

const schema = z.object({ prefixes: z.array(z.string().max(1024)).min(1).max(1000) })

/** DELETE /object/:bucket. Returns the removed objects only; it skips missing and forbidden ones silently. */
export async function removeObjects(storage: StorageParts, c: Context): Promise<Response> {
  const { prefixes } = await readJson(c, schema)
  const removed = await remove(storage, c, { bucket: objectAddress(c).bucket, names: prefixes })
  return c.json(removed)
}

/** DELETE /object/:bucket/*path */
export async function removeObject(storage: StorageParts, c: Context): Promise<Response> {
  const { bucket, path } = objectAddress(c)
  const removed = await remove(storage, c, { bucket, names: [path] })
  if (removed.length === 0) throw new StorageError('NoSuchKey')
  return c.json({ message: 'Successfully deleted' })
}

interface ObjectsToRemove {
  bucket: string
  /** Removes all objects of the bucket when omitted. */
  names?: string[]
}

/** Also of files without content, which only SQL can insert. */
const removedObject = z.looseObject({ version: z.string().nullable() })

export async function remove(
  storage: StorageParts,
  c: Context,
  { bucket, names }: ObjectsToRemove,
): Promise<z.infer<typeof removedObject>[]> {
  const { removed, removal } = await runAsCaller(
    storage,
    { c, operation: 'storage.object.delete_many' },
    async (client) => {
      const rows = await selectValues(client, removedObject, [
        `delete from storage.objects o where o.bucket_id = $1 and ($2::text[] is null or o.name = any ($2::text[]))
           returning to_jsonb(o) - 'path_tokens'`,
        bucket,
        names ?? null,
      ])
      const versions = rows.flatMap(({ version }) => version ?? [])
      return { removed: rows, removal: await planRemoval(storage.files, versions) }
    },
  )
  await removal.finish()
  return removed
}
