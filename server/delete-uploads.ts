import { z } from 'zod'
import { type Backend, selectRows } from '@saltfreak/backend'

/** SQL functions that delete rows and return their files' versions. */
type DeleteFunction = 'delete_unsent_photos' | 'delete_unused_pictures'

const fileRow = z.object({ version: z.string() })

/** Deletes rows and files of unused uploads. When that is interrupted, `sweep_files` deletes the rest. */
export async function deleteUploads(
  forgetting: DeleteFunction,
  { deleteFiles }: Pick<Backend, 'deleteFiles'>,
): Promise<void> {
  await deleteFiles(async (client) => {
    const files = await selectRows(client, fileRow, [
      `select version from private.${forgetting}() as version`,
    ])
    return files.map(({ version }) => version)
  })
}
