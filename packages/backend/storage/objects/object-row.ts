import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { findRow, jsonObject, selectValues } from '#backend/database/select-rows.ts'
import type { FileStore } from '../files/file-store.ts'

/** Metadata of a file's content; the protocol defines the member names. */
const objectMetadata = z.object({
  eTag: z.string(),
  size: z.number(),
  mimetype: z.string(),
  cacheControl: z.string(),
  // Older versions of the hosted product leave these out.
  lastModified: z.string().optional(),
  contentLength: z.number().optional(),
  httpStatusCode: z.number().optional(),
})

const objectRow = z.object({
  id: z.string(),
  bucket_id: z.string(),
  name: z.string(),
  /** Identifies the content: every upload creates a new version. */
  version: z.string(),
  metadata: objectMetadata,
  user_metadata: jsonObject.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})

export type ObjectMetadata = z.infer<typeof objectMetadata>
export type ObjectRow = z.infer<typeof objectRow>

export interface ObjectAddress {
  bucket: string
  path: string
}

/** Reads with the rights of the connection. Skips rows without version or metadata: SQL inserted them, and they have no content. */
export async function findObject(
  db: Pool | PoolClient,
  { bucket, path }: ObjectAddress,
): Promise<ObjectRow | null> {
  const [object] = await selectValues(db, objectRow, [
    'select to_jsonb(o) from storage.objects o where o.bucket_id = $1 and o.name = $2 and o.version is not null and o.metadata is not null',
    bucket,
    path,
  ])
  return object ?? null
}

const publicRow = z.object({ isPublic: z.boolean(), object: objectRow.nullable() })

/** Reads without policies, so the caller must check `isPublic`. Returns null when the bucket does not exist. */
export function findPublicObject(
  db: Pool | PoolClient,
  { bucket, path }: ObjectAddress,
): Promise<z.infer<typeof publicRow> | null> {
  return findRow(db, publicRow, [
    `select coalesce(b.public, false) as "isPublic", case when o.id is not null then to_jsonb(o) end as object
     from storage.buckets b left join storage.objects o on o.bucket_id = b.id and o.name = $2
       and o.version is not null and o.metadata is not null
     where b.id = $1`,
    bucket,
    path,
  ])
}

export function objectKey(version: string): string {
  return `objects/${version.slice(0, 2)}/${version}`
}

/**
 * The folder of a file's derivatives. A bucket may be open to readers of `derivatives/`, so those of files that are not public are in
 * another folder.
 */
export function derivativesFolder(version: string, access: { isPublic: boolean }): string {
  return `${derivativesRoot(access)}/${version}`
}

export function derivativesRoot({ isPublic }: { isPublic: boolean }): string {
  return isPublic ? 'derivatives' : 'private-derivatives'
}

/** Removes everything that was made of a file, for example when it is removed. */
export async function removeDerivatives(files: FileStore, version: string): Promise<void> {
  await files.removeFolder(derivativesFolder(version, { isPublic: true }))
  await files.removeFolder(derivativesFolder(version, { isPublic: false }))
}
