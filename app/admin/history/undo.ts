import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { shortDateTimeText } from '#app/ui/local-date.tsx'

/** A row that was just changed here. */
export interface ChangedRow {
  table: string
  id: string
}

/** Takes a change back; the database refuses where somebody has changed the row since. */
export function useUndo() {
  const toast = useToast()
  const queryClient = useQueryClient()

  return useMutation({
    mutationFn: async (change: number | Promise<number>) => {
      const change_id = await change
      await callBackend((backend) => backend.rpc('undo_change', { change_id }))
    },
    onSuccess: () => toast({ title: 'Undone' }),
    onError: (error) => toast({ title: 'Error', description: refusalText(error), tone: 'destructive' }),
    // Anything may show what was put back.
    onSettled: () => queryClient.invalidateQueries(),
  })
}

/** The entry of what was just done to the row, asked for at once: what is done to it later is another change. */
export async function latestChangeOf({ table, id }: ChangedRow): Promise<number> {
  const entry = await queryBackend((backend) =>
    backend.rpc('my_last_change', { table_name: table, row_id: id }),
  )
  if (entry === null) throw new Error('Nothing was changed, so there is nothing to undo.')
  return entry
}

function refusalText(error: Error): string {
  const { cause } = error
  if (!isBackendError(cause) || cause.details !== 'changed_since' || !cause.hint) return error.message
  // The facts of private.refuse('changed_since').
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { by, at } = JSON.parse(cause.hint) as { by: string | null; at: string }
  return `${by ?? 'Someone'} changed it on ${shortDateTimeText(at)}, so it stays as it is.`
}
