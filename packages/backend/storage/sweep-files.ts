import type { Pool } from 'pg'

import { asText, selectValues } from '#backend/database/select-rows.ts'
import type { FileStore, StoredFile } from './files/file-store.ts'
import { derivativesFolder, derivativesRoot } from './objects/object-row.ts'
import { REMOVALS, removalList, removeContent } from './objects/remove-content.ts'
import { FORMER_PUBLIC_FACE } from './privacy/strip-metadata.ts'
import { deleteExpiredUploads } from './resumable/upload-row.ts'

const HOUR_MS = 3_600_000
/** No request lasts this long, so an older file without a row is an orphan. */
export const SETTLED_AFTER_MS = HOUR_MS
/**
 * Keeps older files without a row, unless a list of removals has them: they may belong to another database that used this folder.
 */
const SWEPT_UNTIL_MS = 48 * HOUR_MS

export interface FilesToSweep {
  owner: Pool
  files: FileStore
}

/** How many files one query looks up. */
const BATCH = 1000

/**
 * Removes files that a killed process left behind (partial uploads, bytes without a row), the rest of failed removals, expired resumable
 * uploads, and derivatives of files that are deleted or no longer public. The hourly job calls it; concurrent runs are safe.
 */
export async function sweepFiles({ owner, files }: FilesToSweep, now = Date.now()): Promise<void> {
  await files.sweepUnfinished(new Date(now - SETTLED_AFTER_MS))
  await sweepPartial({ owner, files }, now)
  await sweepRemovals({ owner, files }, now)
  let versions: string[] = []
  for await (const file of files.list('objects')) {
    if (isRecent(file, now)) versions.push(file.key.slice(file.key.lastIndexOf('/') + 1))
    if (versions.length < BATCH) continue
    await removeOrphans({ owner, files }, versions)
    versions = []
  }
  await removeOrphans({ owner, files }, versions)
  await sweepDerivatives({ owner, files })
}

async function sweepPartial({ owner, files }: FilesToSweep, now: number): Promise<void> {
  for (const id of await deleteExpiredUploads(owner, new Date(now))) await files.partial.remove(id)
  const recent = new Set<string>()
  for await (const file of files.partial.list()) if (isRecent(file, now)) recent.add(file.id)
  const orphans = await selectValues(owner, asText, [
    `select id from unnest($1::text[]) as id
     where not exists (select from storage.resumable_uploads u where u.id = id.id and u.finished_at is null)`,
    [...recent],
  ])
  for (const id of orphans) await files.partial.remove(id)
}

/** A list whose versions have rows again is of a transaction that was rolled back. */
async function sweepRemovals({ owner, files }: FilesToSweep, now: number): Promise<void> {
  for await (const { key, storedAt } of files.list(REMOVALS)) {
    if (now - storedAt.getTime() <= SETTLED_AFTER_MS) continue
    const versions = removalList.parse(await new Response(await files.read(key)).json())
    await removeOrphans({ owner, files }, versions)
    await files.remove(key)
  }
}

async function removeOrphans({ owner, files }: FilesToSweep, versions: string[]): Promise<void> {
  if (versions.length === 0) return
  const orphans = await selectValues(owner, asText, [
    `select version from unnest($1::text[]) as version
     where not exists (select from storage.objects o where o.version = version.version)`,
    versions,
  ])
  for (const version of orphans) await removeContent(files, version)
}

/**
 * Removes the derivatives of deleted files, whatever their age: another database would only make them again. Also removes the public
 * derivatives of files that are no longer public, and copies that may have a place: in an open bucket everyone who knows their address could
 * read them.
 */
async function sweepDerivatives({ owner, files }: FilesToSweep): Promise<void> {
  for (const isPublic of [true, false]) {
    const versions = new Set<string>()
    for await (const key of files.keys(derivativesRoot({ isPublic }))) {
      versions.add(key.split('/')[1] ?? '')
      if (key.endsWith(`/${FORMER_PUBLIC_FACE}`)) await files.remove(key)
    }
    const outdated = await selectValues(owner, asText, [
      `select version from unnest($1::text[]) as version
       where not exists (
         select from storage.objects o join storage.buckets b on b.id = o.bucket_id
         where o.version = version.version and (b.public or not $2))`,
      [...versions],
      isPublic,
    ])
    for (const version of outdated) await files.removeFolder(derivativesFolder(version, { isPublic }))
  }
}

function isRecent({ storedAt }: Pick<StoredFile, 'storedAt'>, now: number): boolean {
  const age = now - storedAt.getTime()
  return age > SETTLED_AFTER_MS && age < SWEPT_UNTIL_MS
}
