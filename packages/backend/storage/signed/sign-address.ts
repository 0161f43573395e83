import type { Context } from 'hono'
import { z } from 'zod'

import { asText, selectValues } from '#backend/database/select-rows.ts'
import { StorageError } from '../errors.ts'
import { objectAddress } from '../objects/public-object.ts'
import { runAsCaller, type StorageParts } from '../parts.ts'
import { parseTransformation } from '../render/transformation.ts'
import { readJson } from '../request.ts'

const YEAR_SECONDS = 365 * 24 * 3600
const expiresIn = z
  .int()
  .min(1)
  .max(100 * YEAR_SECONDS)

const schema = z.object({
  expiresIn,
  transform: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

/** POST /object/sign/:bucket/*path. Requires read access; the URL shares it until it expires. */
export async function signAddress(storage: StorageParts, c: Context): Promise<Response> {
  const body = await readJson(c, schema)
  const { bucket, path } = objectAddress(c)
  const [readable] = await readablePaths(storage, c, { bucket, paths: [path] })
  if (readable === undefined) throw new StorageError('NoSuchKey')
  if (!body.transform)
    return c.json({ signedURL: await signed(storage, `${bucket}/${path}`, body.expiresIn) })

  const query = Object.fromEntries(
    Object.entries(body.transform).map(([name, value]) => [name, String(value)]),
  )
  parseTransformation(query)
  const url = `${bucket}/${path}`
  const transformations = new URLSearchParams(query).toString()
  const token = await storage.addresses.sign({ url, purpose: 'read', transformations }, body.expiresIn)
  return c.json({ signedURL: `/render/image/sign/${url}?token=${token}` })
}

const manySchema = z.object({ expiresIn, paths: z.array(z.string().max(1024)).min(1).max(500) })

/** POST /object/sign/:bucket */
export async function signAddresses(storage: StorageParts, c: Context): Promise<Response> {
  const body = await readJson(c, manySchema)
  const { bucket } = objectAddress(c)
  const readable = new Set(await readablePaths(storage, c, { bucket, paths: body.paths }))
  const answers = body.paths.map(async (path) => {
    if (!readable.has(path)) {
      return {
        error: 'Either the object does not exist or you do not have access to it',
        path,
        signedURL: null,
      }
    }
    return { error: null, path, signedURL: await signed(storage, `${bucket}/${path}`, body.expiresIn) }
  })
  return c.json(await Promise.all(answers))
}

async function signed(storage: StorageParts, url: string, seconds: number): Promise<string> {
  return `/object/sign/${url}?token=${await storage.addresses.sign({ url, purpose: 'read' }, seconds)}`
}

function readablePaths(
  storage: StorageParts,
  c: Context,
  { bucket, paths }: { bucket: string; paths: string[] },
): Promise<string[]> {
  return runAsCaller(storage, { c, operation: 'storage.object.sign' }, (client) =>
    selectValues(client, asText, [
      'select name from storage.objects where bucket_id = $1 and name = any ($2::text[])',
      bucket,
      paths,
    ]),
  )
}
