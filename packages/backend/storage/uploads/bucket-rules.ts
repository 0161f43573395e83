import { z } from 'zod'

import { findRow } from '#backend/database/select-rows.ts'
import { StorageError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'

const rulesRow = z.object({
  /** In bytes. */
  limit: z.number().nullable(),
  /** Null or empty allows all types. */
  allowed: z.array(z.string()).nullable(),
})

export interface BucketRules extends z.infer<typeof rulesRow> {
  limit: number
}

export async function requireBucketRules(
  { database, maxFileBytes }: StorageParts,
  id: string,
): Promise<BucketRules> {
  const rules = await findRow(database.owner, rulesRow, [
    'select file_size_limit::float8 as "limit", allowed_mime_types as allowed from storage.buckets where id = $1',
    id,
  ])
  if (!rules) throw new StorageError('NoSuchBucket')
  return { ...rules, limit: Math.min(rules.limit ?? Infinity, maxFileBytes) }
}
