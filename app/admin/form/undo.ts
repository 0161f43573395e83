import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queryBackend, callBackend } from '#app/data/query-backend.ts'
import { isBackendError } from '#app/data/backend-error.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { shortDateTimeText } from '#app/ui/local-date.tsx'

export interface RowReference {
  table: string
  id: string
}

/** Undoes a change. The database refuses if someone has changed the row since. */
export function useUndo() {
  const toast = useToast()
  const queryClient = useQueryClient()

  return useMutation({
    mutationFn: async (change: number | Promise<number>) => {
      const change_id = await change
      await callBackend((backend) => backend.rpc('undo_change', { change_id }))
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
  const { cause } = error
  if (!isBackendError(cause) || cause.details !== 'changed_since' || !cause.hint) return error.message
  // The parameters of private.refuse('changed_since').
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { by, at } = JSON.parse(cause.hint) as { by: string | null; at: string }
  return `${by ?? 'Someone'} changed it on ${shortDateTimeText(at)}, so it can’t be undone.`
}
