import type { Pool } from 'pg'
import type { Disk } from '#backend/storage/disk/disk.ts'
import { derivativesFolder, objectKey } from '#backend/storage/objects/object-row.ts'

/** Each answers with the versions of the files whose rows it removed. */
type Forgetting = 'delete_unsent_photos' | 'delete_unused_pictures'

/** Uploads that nothing came of: their rows, and with them their bytes. Bytes that a kill leaves behind go with the next sweep. */
export async function forgetFiles(
  forgetting: Forgetting,
  { owner, disk }: { owner: Pool; disk: Disk },
): Promise<void> {
  const { rows } = await owner.query<{ version: string }>(
    `select version from private.${forgetting}() as version`,
  )
  for (const { version } of rows) {
    await disk.remove(objectKey(version))
    await disk.remove(derivativesFolder(version))
  }
}
