import type { Pool } from 'pg'
import { z } from 'zod'
import { type Backend, selectRows } from '@saltfreak/backend'

/** SQL functions that delete rows and return their files' versions. */
type DeleteFunction = 'delete_unsent_photos' | 'delete_unused_pictures'

const fileRow = z.object({ version: z.string() })

/** Deletes rows and files of unused uploads. When the process is killed in between, `sweep_files` deletes the rest. */
export async function deleteUploads(
  forgetting: DeleteFunction,
  { owner, deleteFiles }: { owner: Pool } & Pick<Backend, 'deleteFiles'>,
): Promise<void> {
  const files = await selectRows(owner, fileRow, [`select version from private.${forgetting}() as version`])
  await deleteFiles(files.map(({ version }) => version))
}
