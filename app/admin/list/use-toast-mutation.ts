import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isBackendError } from '#app/session/backend-error.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useIsPacker } from '../frame/role.ts'
import { EditConflict } from './save-unless-changed.ts'
import { latestChangeOf, useUndo, type ChangedRow } from '../history/undo.ts'

interface MutationOptions<Input, Result> {
  change: (input: Input) => Promise<Result>
  /** The success toast, or its title. */
  done: string | ((input: Input, result: Result) => Toast)
  /** The first elements of the query keys to invalidate. */
  refreshes: readonly string[]
  /** Replaces the backend's message in the error toast. */
  failure?: string | ((error: Error) => string)
  /** Errors that the form shows itself, without a toast. */
  isShownByForm?: (error: Error) => boolean
  /** The row whose change the toast can undo; only for tables in `private.history_tables`. */
  undoes?: (input: Input, result: Result) => ChangedRow | null
}

/** A mutation that shows its outcome as a toast and invalidates the affected lists. */
export function useToastMutation<Input, Result>(options: MutationOptions<Input, Result>) {
  const { change, done, refreshes, failure, isShownByForm, undoes } = options
  const toast = useToast()
  const undo = useUndo()
  // Only admins may use the history and its undo.
  const isPacker = useIsPacker()
  const queryClient = useQueryClient()
  // Any change may alter the attention counts.
  const refresh = () =>
    Promise.all(
      [...refreshes, 'attention-counts', 'history'].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name] }),
      ),
    )

  const undoAction = (changed: ChangedRow) => {
    const entry = latestChangeOf(changed)
    // Avoids an unhandled rejection; `undo` reports the error if Undo is pressed.
    entry.catch(() => undefined)
    return { label: 'Undo', run: () => undo.mutate(entry) }
  }

  return useMutation({
    mutationFn: change,
    onSuccess: async (result, input) => {
      const success = typeof done === 'string' ? { title: done } : done(input, result)
      const changed = isPacker ? null : undoes?.(input, result)
      toast(changed ? { ...success, action: undoAction(changed) } : success)
      await refresh()
    },
    onError: (error) => {
      // A rejected change often means that the shown data is out of date.
      if (isBackendError(error.cause)) void refresh()
      // The form shows a conflict with both values.
      if (error instanceof EditConflict || isShownByForm?.(error)) return
      const description = typeof failure === 'function' ? failure(error) : (failure ?? error.message)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
