import { createHash, randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { asText, findRow, selectRow, selectValues } from '#backend/database/select-rows.ts'
import { inTransaction } from '#backend/database/transaction.ts'
import { StorageError } from '../errors.ts'

/** An upload expires after this time. */
const LIFETIME_HOURS = 24

/** Limits for unfinished resumable uploads. */
export interface UnfinishedLimits {
  /** Per account and per network address, in each bucket. */
  uploadsPerCaller: number
  /**
   * Sum of all announced sizes. Callers without an account may use half of it, so that they cannot lock out customers. Half of it is
   * reserved, in equal shares for the buckets, so that the callers of one bucket cannot lock out those who may write to another one.
   * The secret key may use all of it.
   */
  bytes: number
}

const resumableUpload = z.object({
  id: z.string(),
  bucket: z.string(),
  path: z.string(),
  size: z.number(),
  uploadMetadata: z.string(),
  isUpsert: z.boolean(),
  createdBy: z.enum(['anon', 'authenticated', 'service_role', 'signed']),
  owner: z.string().nullable(),
  /** The network that limits apply to; null for the secret key. */
  countedFor: z.string().nullable(),
  expiresAt: z.date(),
  isFinished: z.boolean(),
})

export type ResumableUpload = z.infer<typeof resumableUpload>
export type UploadCreator = Pick<ResumableUpload, 'createdBy' | 'owner'>

export type NewUpload = Omit<ResumableUpload, 'id' | 'expiresAt' | 'isFinished'>

/** Hashes the secret without a salt, which 256 random bits do not need. */
function idOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

export interface CreatedUpload {
  /** Last segment of the upload's URL. It is the only proof of a visitor's right to continue. */
  secret: string
  upload: ResumableUpload
}

/** Writes the row; throws when the unfinished uploads of the caller or of all callers exceed the limits. */
export async function createUpload(
  owner: Pool,
  upload: NewUpload,
  limits: UnfinishedLimits,
): Promise<CreatedUpload> {
  const secret = randomBytes(32).toString('base64url')
  return inTransaction(owner, async (client) => {
    await requireQuota(client, upload, limits)
    const created = await selectRow(client, resumableUpload, [
      `insert into storage.resumable_uploads
         (id, bucket_id, name, size, upload_metadata, is_upsert, begun_as, owner_id, counted_for, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(hours => $10))
       returning ${COLUMNS}`,
      idOf(secret),
      upload.bucket,
      upload.path,
      upload.size,
      upload.uploadMetadata,
      upload.isUpsert,
      upload.createdBy,
      upload.owner,
      upload.countedFor,
      LIFETIME_HOURS,
    ])
    return { secret, upload: created }
  })
}

const usageRow = z.object({
  mine: z.number(),
  bytes: z.number(),
  bytesWithoutAccount: z.number(),
  /** The unused shares of the other buckets. */
  bytesReserved: z.number(),
})

/** Takes a lock: two concurrent counts could both find room for the last upload. */
async function requireQuota(client: PoolClient, upload: NewUpload, limits: UnfinishedLimits): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('storage.resumable_uploads'))`)
  const { mine, bytes, bytesWithoutAccount, bytesReserved } = await selectRow(client, usageRow, [
    `with unfinished as (select * from storage.resumable_uploads where finished_at is null),
       shares as (
         select b.id, $4::float8 / 2 / count(*) over ()
           - (select coalesce(sum(u.size), 0) from unfinished u where u.bucket_id = b.id) as unused
         from storage.buckets b
       )
     select (count(*) filter (where bucket_id = $3
         and (counted_for = $1 or owner_id = $2 and begun_as = 'authenticated')))::int as mine,
       coalesce(sum(size), 0)::float8 as bytes,
       coalesce(sum(size) filter (where owner_id is null and begun_as <> 'service_role'), 0)::float8
         as "bytesWithoutAccount",
       (select coalesce(sum(unused), 0) from shares where id <> $3 and unused > 0)::float8 as "bytesReserved"
     from unfinished`,
    upload.countedFor,
    upload.owner,
    upload.bucket,
    limits.bytes,
  ])
  if (upload.countedFor !== null && mine >= limits.uploadsPerCaller) throw new StorageError('TooManyUploads')
  const isTrusted = upload.createdBy === 'service_role'
  const isFull =
    bytes + upload.size + (isTrusted ? 0 : bytesReserved) > limits.bytes ||
    (!isTrusted && upload.owner === null && bytesWithoutAccount + upload.size > limits.bytes / 2)
  if (isFull) throw new StorageError('SlowDown', 'Too many uploads are unfinished; try again later')
}

const COLUMNS = `id, bucket_id as bucket, name as path, size::float8 as size, upload_metadata as "uploadMetadata",
  is_upsert as "isUpsert", begun_as as "createdBy", owner_id as owner, counted_for as "countedFor", expires_at as "expiresAt",
  finished_at is not null as "isFinished"`

/** Throws for an unknown, cancelled or expired upload. */
export async function requireUpload(owner: Pool, secret: string): Promise<ResumableUpload> {
  const upload = await findRow(owner, resumableUpload, [
    `select ${COLUMNS} from storage.resumable_uploads where id = $1`,
    idOf(secret),
  ])
  if (!upload) throw new StorageError('NoSuchUpload')
  if (upload.expiresAt.getTime() <= Date.now()) throw new StorageError('UploadExpired')
  return upload
}

/** Succeeds for one caller only, so that concurrent processes store the file once; throws for the others. */
export async function markFinished(client: PoolClient, { id }: ResumableUpload): Promise<void> {
  const { rowCount } = await client.query(
    'update storage.resumable_uploads set finished_at = now() where id = $1 and finished_at is null',
    [id],
  )
  if (rowCount !== 1) throw new StorageError('NoSuchUpload')
}

export async function deleteUploadRow(owner: Pool, { id }: ResumableUpload): Promise<void> {
  await owner.query('delete from storage.resumable_uploads where id = $1', [id])
}

/** Returns the ids of the deleted rows. */
export function deleteExpiredUploads(owner: Pool, before: Date): Promise<string[]> {
  return selectValues(owner, asText, [
    'delete from storage.resumable_uploads where expires_at <= $1 returning id',
    before,
  ])
}
