import type { Context } from 'hono'
import { z } from 'zod'

import { jsonObject, selectRows } from '#backend/database/select-rows.ts'
import { StorageError } from '../errors.ts'
import { remove } from '../objects/remove-objects.ts'
import { runAsCaller, type StorageParts } from '../parts.ts'
import { readJson } from '../request.ts'

const COLUMNS = `id, name, coalesce(owner_id, owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit,
  allowed_mime_types, created_at, updated_at`

/** Decimal units, as in the hosted product. */
const UNITS = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }

/** A number of bytes or a text such as `50MB`. */
const size = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d+(\.\d+)?\s*(B|KB|MB|GB)?$/i)
    .transform((text) => {
      const unit = z
        .enum(['B', 'KB', 'MB', 'GB'])
        .catch('B')
        .parse(text.replace(/[\d.\s]/g, '').toUpperCase())
      return Math.floor(Number.parseFloat(text) * UNITS[unit])
    }),
])

const changes = z.object({
  public: z.boolean().optional(),
  file_size_limit: size.nullish().transform((bytes) => bytes || null),
  allowed_mime_types: z.array(z.string().max(255)).nullish(),
})

const newBucket = changes.extend({
  id: z.string().min(1).max(100).nullish(),
  name: z.string().min(1).max(100).nullish(),
  type: z.literal('STANDARD').nullish(),
})

/** POST /bucket */
export async function createBucket(storage: StorageParts, c: Context): Promise<Response> {
  const bucket = await readJson(c, newBucket)
  const id = bucket.id ?? bucket.name ?? ''
  const name = bucket.name ?? id
  if (!/^[\w!.*'() &$@=;:+,?-]+$/.test(id) || id.trim() !== id) {
    throw new StorageError('InvalidBucketName')
  }
  await runAsCaller(storage, { c, operation: 'storage.bucket.create' }, (client, { userId }) =>
    client.query(
      `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
       values ($1, $2, $3::uuid, $3::text, $4, $5, $6)`,
      [id, name, userId, bucket.public ?? false, bucket.file_size_limit, bucket.allowed_mime_types ?? null],
    ),
  )
  return c.json({ name })
}

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().max(100).default(''),
})

/** GET /bucket. Only the list contains `type`: clients expect a single bucket without it. */
export async function listBuckets(storage: StorageParts, c: Context): Promise<Response> {
  const query = listQuery.safeParse(c.req.query())
  if (!query.success) throw new StorageError('InvalidRequest', 'querystring is not valid')
  const { limit, offset, sortColumn, sortOrder, search } = query.data
  const buckets = await runAsCaller(storage, { c, operation: 'storage.bucket.list' }, (client) =>
    selectRows(client, jsonObject, [
      `select ${COLUMNS}, type from storage.buckets where position(lower($3) in lower(name)) > 0 or $3 = ''
       order by ${sortColumn} ${sortOrder} limit $1 offset $2`,
      limit,
      offset,
      search,
    ]),
  )
  return c.json(buckets)
}

/** GET /bucket/:bucket */
export async function getBucket(storage: StorageParts, c: Context): Promise<Response> {
  const [bucket] = await runAsCaller(storage, { c, operation: 'storage.bucket.get' }, (client) =>
    selectRows(client, jsonObject, [
      `select ${COLUMNS} from storage.buckets where id = $1`,
      c.req.param('bucket'),
    ]),
  )
  if (!bucket) throw new StorageError('NoSuchBucket')
  return c.json(bucket)
}

/** PUT /bucket/:bucket. Leaves fields unchanged that the body omits. */
export async function updateBucket(storage: StorageParts, c: Context): Promise<Response> {
  const body = await readJson(c, changes.partial())
  const changed = await runAsCaller(storage, { c, operation: 'storage.bucket.update' }, (client) =>
    client.query(
      `update storage.buckets set updated_at = now(), public = coalesce($2, public),
         file_size_limit = case when $3 then $4 else file_size_limit end,
         allowed_mime_types = case when $5 then $6 else allowed_mime_types end
       where id = $1`,
      [
        c.req.param('bucket'),
        body.public ?? null,
        body.file_size_limit !== undefined,
        body.file_size_limit ?? null,
        body.allowed_mime_types !== undefined,
        body.allowed_mime_types ?? null,
      ],
    ),
  )
  if (changed.rowCount === 0) throw new StorageError('NoSuchBucket')
  return c.json({ message: 'Successfully updated' })
}

/**
 * POST /bucket/:bucket/empty. Removes the objects that the caller may remove, and finishes before it responds; the message is
 * the protocol's.
 */
export async function emptyBucket(storage: StorageParts, c: Context): Promise<Response> {
  await getBucket(storage, c)
  await remove(storage, c, { bucket: c.req.param('bucket') ?? '' })
  return c.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' })
}

/** DELETE /bucket/:bucket */
export async function deleteBucket(storage: StorageParts, c: Context): Promise<Response> {
  await getBucket(storage, c)
  const id = c.req.param('bucket')
  const { rowCount } = await storage.database.owner.query(
    'select from storage.objects where bucket_id = $1 limit 1',
    [id],
  )
  if (rowCount) throw new StorageError('BucketNotEmpty')
  const deleted = await runAsCaller(storage, { c, operation: 'storage.bucket.delete' }, (client) =>
    client.query('delete from storage.buckets where id = $1', [id]),
  )
  if (deleted.rowCount === 0) throw new StorageError('AccessDenied')
  return c.json({ message: 'Successfully deleted' })
}
