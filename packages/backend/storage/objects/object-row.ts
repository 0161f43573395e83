import type { Pool, PoolClient } from 'pg'

/** Metadata of a file's content; the protocol defines the member names. */
export interface ObjectMetadata {
  eTag: string
  size: number
  mimetype: string
  cacheControl: string
  lastModified: string
  contentLength: number
  httpStatusCode: number
}

export interface ObjectRow {
  id: string
  bucket_id: string
  name: string
  /** Identifies the content: every upload creates a new version. */
  version: string
  metadata: ObjectMetadata
  user_metadata: Record<string, unknown> | null
  owner: string | null
  owner_id: string | null
  created_at: string
  updated_at: string
  last_accessed_at: string
}

export interface ObjectAddress {
  bucket: string
  path: string
}

/** Reads with the rights of the connection. Skips rows without a version: SQL inserted them, and they have no content. */
export async function findObject(
  db: Pool | PoolClient,
  { bucket, path }: ObjectAddress,
): Promise<ObjectRow | null> {
  const { rows } = await db.query<{ object: ObjectRow }>(
    'select to_jsonb(o) as object from storage.objects o where o.bucket_id = $1 and o.name = $2 and o.version is not null',
    [bucket, path],
  )
  return rows[0]?.object ?? null
}

/** Reads without policies, so the caller must check `isPublic`. Returns null when the bucket does not exist. */
export async function findPublicObject(
  db: Pool | PoolClient,
  { bucket, path }: ObjectAddress,
): Promise<{ isPublic: boolean; object: ObjectRow | null } | null> {
  const { rows } = await db.query<{ isPublic: boolean; object: ObjectRow | null }>(
    `select b.public as "isPublic", case when o.id is not null then to_jsonb(o) end as object
     from storage.buckets b left join storage.objects o on o.bucket_id = b.id and o.name = $2 and o.version is not null
     where b.id = $1`,
    [bucket, path],
  )
  return rows[0] ?? null
}

export function objectKey(version: string): string {
  return `objects/${version.slice(0, 2)}/${version}`
}

export function derivativesFolder(version: string): string {
  return `derivatives/${version}`
}
