import type { Pool } from 'pg'
import type { Disk } from '#backend/storage/disk/disk.ts'
import { derivativesFolder, objectKey } from '#backend/storage/objects/object-row.ts'

/** Photos for the gallery that were uploaded and never handed in. Bytes that a kill leaves behind go with the next sweep. */
export async function forgetUnsentPhotos({ owner, disk }: { owner: Pool; disk: Disk }): Promise<void> {
  const { rows } = await owner.query<{ version: string }>(
    'select version from private.forget_unsent_photos() as version',
  )
  for (const { version } of rows) {
    await disk.remove(objectKey(version))
    await disk.remove(derivativesFolder(version))
  }
}
