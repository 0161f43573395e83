import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'

import { StorageError } from '../errors.ts'
import { runAsCaller, type StorageParts } from '../parts.ts'
import { readJson, requireValidKey } from '../request.ts'
import { requireMayWrite, writeObject } from '../uploads/write-object.ts'
import { findObject, objectKey } from './object-row.ts'
import { discardContent } from './remove-content.ts'

const schema = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().nullish(),
})

/** POST /object/move. Renames the row only: the bytes are stored by version, not by name. */
export async function moveObject(storage: StorageParts, c: Context): Promise<Response> {
  const { bucketId, sourceKey, destinationKey, destinationBucket } = await readJson(c, schema)
  requireValidKey(destinationKey)
  const moved = await runAsCaller(storage, { c, operation: 'storage.object.move' }, async (client) => {
    const { rowCount } = await client.query(
      `update storage.objects set bucket_id = $3, name = $4, updated_at = now() where bucket_id = $1 and name = $2`,
      [bucketId, sourceKey, destinationBucket ?? bucketId, destinationKey],
    )
    return rowCount
  })
  if (moved === 0) throw new StorageError('NoSuchKey')
  return c.json({ message: 'Successfully moved' })
}

const copySchema = schema.extend({
  copyMetadata: z.boolean().default(true),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

/** POST /object/copy */
export async function copyObject(storage: StorageParts, c: Context): Promise<Response> {
  const body = await readJson(c, copySchema)
  requireValidKey(body.destinationKey)
  const isUpsert = c.req.header('x-upsert') === 'true'
  const target = { bucket: body.destinationBucket ?? body.bucketId, path: body.destinationKey }

  const source = await runAsCaller(storage, { c, operation: 'storage.object.copy' }, (client) =>
    findObject(client, { bucket: body.bucketId, path: body.sourceKey }),
  )
  if (!source || !(await storage.files.find(objectKey(source.version)))) throw new StorageError('NoSuchKey')
  const owner = await requireMayWrite(
    storage,
    { c, operation: 'storage.object.copy' },
    { ...target, isUpsert },
  )

  const version = randomUUID()
  await storage.files.requireSpace()
  await storage.files.write(objectKey(version), await storage.files.read(objectKey(source.version)))
  const userMetadata = body.copyMetadata ? source.user_metadata : (body.metadata ?? null)
  const { id } = await writeObject(storage, {
    ...target,
    isUpsert,
    owner,
    version,
    metadata: { ...source.metadata, lastModified: new Date().toISOString() },
    userMetadata,
  }).catch(async (error: unknown) => {
    await discardContent(storage, version)
    throw error
  })
  return c.json({
    Id: id,
    Key: `${target.bucket}/${target.path}`,
    name: target.path,
    bucket_id: target.bucket,
  })
}
