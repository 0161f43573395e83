import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { RowReference } from '#app/data/use-toast-mutation.ts'
import { backendError } from '#app/data/backend-error.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { shortDateTimeText } from '#app/ui/local-date.tsx'

/** Undoes a change. The database refuses if someone has changed the row since. */
export function useUndo() {
  const toast = useToast()
  const queryClient = useQueryClient()

  return useMutation({
    mutationFn: async (change: number | Promise<number>) => {
      const change_id = await change
      await queryBackend((backend) => backend.rpc('undo_change', { change_id }))
    },
    onSuccess: () => toast({ title: 'Undone' }),
    onError: (error) => toast({ title: 'Error', description: undoErrorText(error), tone: 'destructive' }),
    // Any list may show the restored row.
    onSettled: () => queryClient.invalidateQueries(),
  })
}

/** Returns the id of the user's latest change to the row. Call it right after the change, before a later one follows. */
export async function latestChangeOf({ table, id }: RowReference): Promise<number> {
  const entry = await queryBackend((backend) =>
    backend.rpc('my_last_change', { table_name: table, row_id: id }),
  )
  if (entry === null) throw new Error('Nothing was changed, so there is nothing to undo.')
  return entry
}

function undoErrorText(error: Error): string {
  const hint = backendError(error, 'changed_since')?.hint
  if (!hint) return error.message
  const { by, at }: { by: string | null; at: string | null } = JSON.parse(hint)
  // Changes by customers are not recorded.
  if (!at) return error.message
  return `${by ?? 'Someone'} changed it on ${shortDateTimeText(at)}, so it can’t be undone.`
}
