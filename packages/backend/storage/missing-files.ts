import type { Pool } from 'pg'
import { z } from 'zod'

import { selectRow } from '#backend/database/select-rows.ts'
import type { FileStore } from './files/file-store.ts'

const startRow = z.object({ start: z.string() })
const countRow = z.object({ count: z.number() })

/**
 * Counts the files that the database knows and this store lacks: after a change of the store without `moveFiles`, or when several
 * machines have folders of their own.
 */
export async function countMissingFiles({
  owner,
  files,
}: {
  owner: Pool
  files: FileStore
}): Promise<number> {
  // Files that are uploaded meanwhile may be missing in the list.
  const { start } = await selectRow(owner, startRow, ['select clock_timestamp()::text as start'])
  const versions: string[] = []
  for await (const key of files.keys('objects')) versions.push(key.slice(key.lastIndexOf('/') + 1))
  const { count } = await selectRow(owner, countRow, [
    `select count(*)::int from storage.objects o
     where version is not null and metadata is not null and greatest(created_at, updated_at) <= $2::timestamptz
       and not exists (select from unnest($1::text[]) as version where version.version = o.version)`,
    versions,
    start,
  ])
  return count
}
