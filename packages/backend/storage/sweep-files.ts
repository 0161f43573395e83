import type { Pool } from 'pg'
import { z } from 'zod'

import { idRow, selectRows } from '#backend/database/select-rows.ts'
import type { Disk, StoredFile } from './disk/disk.ts'
import { derivativesFolder, objectKey } from './objects/object-row.ts'
import { deleteExpiredUploads, partKey } from './resumable/upload-row.ts'

const HOUR_MS = 3_600_000
/** No request lasts this long, so an older file without a row is an orphan. */
export const SETTLED_AFTER_MS = HOUR_MS
/** Keeps older files without a row: they may belong to another database that used this folder. */
const SWEPT_UNTIL_MS = 48 * HOUR_MS

export interface FilesToSweep {
  owner: Pool
  disk: Disk
}

/**
 * Removes files that a killed process left behind (partial uploads, bytes without a row) and expired resumable uploads. The
 * hourly job calls it; concurrent runs are safe.
 */
export async function sweepFiles({ owner, disk }: FilesToSweep, now = Date.now()): Promise<void> {
  await disk.sweepUnfinished(new Date(now - SETTLED_AFTER_MS))
  await sweepResumable({ owner, disk }, now)
  for (let prefix = 0; prefix < 256; prefix += 1) {
    const found = await disk.list(`objects/${prefix.toString(16).padStart(2, '0')}`)
    const recent = found.filter((file) => isRecent(file, now)).map(versionOf)
    if (recent.length > 0) await removeOrphans({ owner, disk }, recent)
  }
}

async function sweepResumable({ owner, disk }: FilesToSweep, now: number): Promise<void> {
  for (const id of await deleteExpiredUploads(owner, new Date(now))) await disk.remove(partKey(id))
  const recent = (await disk.list('resumable')).filter((file) => isRecent(file, now)).map(versionOf)
  const orphans = await selectRows(owner, idRow, [
    `select id from unnest($1::text[]) as id
     where not exists (select from storage.resumable_uploads u where u.id = id.id and u.finished_at is null)`,
    recent,
  ])
  for (const { id } of orphans) await disk.remove(partKey(id))
}

const versionRow = z.object({ version: z.string() })

async function removeOrphans({ owner, disk }: FilesToSweep, versions: string[]): Promise<void> {
  const orphans = await selectRows(owner, versionRow, [
    `select version from unnest($1::text[]) as version
     where not exists (select from storage.objects o where o.version = version.version)`,
    versions,
  ])
  for (const { version } of orphans) {
    await disk.remove(derivativesFolder(version))
    await disk.remove(objectKey(version))
  }
}

function isRecent({ storedAt }: StoredFile, now: number): boolean {
  const age = now - storedAt.getTime()
  return age > SETTLED_AFTER_MS && age < SWEPT_UNTIL_MS
}

function versionOf({ key }: StoredFile): string {
  return key.slice(key.lastIndexOf('/') + 1)
}
