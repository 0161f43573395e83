import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { z } from 'zod'

import { findRow } from '#backend/database/select-rows.ts'
import type { FileStore } from './files/file-store.ts'
import { contentTypeOf } from './objects/content-type.ts'
import { objectKey } from './objects/object-row.ts'

export interface SeedTarget {
  owner: Pool
  files: FileStore
}

export interface Seed {
  /** A public bucket; created when it does not exist. */
  bucket: string
  /** Seeds every file directly in this folder. */
  folder: string
  /** Prefix of the object names. */
  path?: string
}

/** Uploads the files of a folder to a bucket. Idempotent: it skips unchanged files, so every start may call it. */
export async function seedBucket(
  { owner, files }: SeedTarget,
  { bucket, folder, path }: Seed,
): Promise<void> {
  await owner.query(
    'insert into storage.buckets (id, name, public) values ($1, $1, true) on conflict (id) do nothing',
    [bucket],
  )
  const entries = await readdir(folder, { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const content = await readFile(join(folder, name))
    await putFile(owner, files, { bucket, name: path ? `${path}/${name}` : name, content })
  }
}

/** Null for a row that SQL inserted. */
const knownRow = z.object({ version: z.string().nullable(), eTag: z.string().nullable() })

async function putFile(
  owner: Pool,
  files: FileStore,
  { bucket, name, content }: { bucket: string; name: string; content: Uint8Array },
): Promise<void> {
  const eTag = `"${createHash('md5').update(content).digest('hex')}"`
  const object = await findRow(owner, knownRow, [
    `select version, metadata ->> 'eTag' as "eTag" from storage.objects where bucket_id = $1 and name = $2`,
    bucket,
    name,
  ])
  if (object?.version && object.eTag === eTag) {
    // Completes an empty data folder. A new version would be missing in those of the other processes.
    if (!(await files.find(objectKey(object.version)))) await files.write(objectKey(object.version), content)
    return
  }

  const version = randomUUID()
  await files.write(objectKey(version), content)
  await owner.query(
    `insert into storage.objects (bucket_id, name, version, metadata) values ($1, $2, $3, $4)
     on conflict (bucket_id, name) do update
       set version = excluded.version, metadata = excluded.metadata, updated_at = now()`,
    [
      bucket,
      name,
      version,
      {
        eTag,
        size: content.byteLength,
        mimetype: contentTypeOf(name),
        cacheControl: 'public, max-age=3600',
        lastModified: new Date().toISOString(),
        contentLength: content.byteLength,
        httpStatusCode: 200,
      },
    ],
  )
}
