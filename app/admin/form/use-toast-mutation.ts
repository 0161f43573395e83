import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { invalidateSubjects, ofSubjects, type QuerySubject } from '#app/data/query-keys.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useIsPacker } from '../frame/role.ts'
import { EditConflict } from './save-unless-changed.ts'
import { latestChangeOf, useUndo, type RowReference } from './undo.ts'

interface MutationOptions<Input, Result> {
  mutationFn: (input: Input) => Promise<Result>
  /** The success toast, or its title. */
  success: string | ((input: Input, result: Result) => Toast)
  /** Runs before the toast. A dialog closes here: closing it later would move the toast while its Undo is pressed. */
  onSaved?: () => void
  /** The subjects whose queries become out of date. */
  invalidates: readonly QuerySubject[]
  /** Shows the change in the cache at once; an error restores the queries of these subjects. */
  optimistic?: (queries: QueryClient, input: Input) => void
  /** Replaces the backend's message in the error toast. */
  errorText?: string | ((error: Error) => string)
  /** Errors that the form shows itself, without a toast. */
  isShownByForm?: (error: Error) => boolean
  /** The row whose change the toast can undo; only for tables in `private.history_tables`. */
  undoes?: (input: Input, result: Result) => RowReference | null
}

/** A mutation that shows its outcome as a toast and invalidates the affected lists. */
export function useToastMutation<Input, Result>(options: MutationOptions<Input, Result>) {
  const { mutationFn, onSaved, success, invalidates, optimistic, errorText, isShownByForm, undoes } = options
  const toast = useToast()
  const undo = useUndo()
  // Only admins may use the history and its undo.
  const isPacker = useIsPacker()
  const queryClient = useQueryClient()
  // Any change may alter the attention counts.
  const refresh = () => invalidateSubjects(queryClient, [...invalidates, 'attention-counts', 'history'])

  const undoAction = (changed: RowReference) => {
    const entry = latestChangeOf(changed)
    // Avoids an unhandled rejection; `undo` reports the error if Undo is pressed.
    entry.catch(() => undefined)
    return { label: 'Undo', run: () => undo.mutate(entry) }
  }

  return useMutation({
    mutationFn,
    onMutate: async (input) => {
      if (!optimistic) return []
      await queryClient.cancelQueries(ofSubjects(invalidates))
      const before = queryClient.getQueriesData(ofSubjects(invalidates))
      optimistic(queryClient, input)
      return before
    },
    onSuccess: async (result, input) => {
      onSaved?.()
      const successToast = typeof success === 'string' ? { title: success } : success(input, result)
      const changed = isPacker ? null : undoes?.(input, result)
      toast(changed ? { ...successToast, action: undoAction(changed) } : successToast)
      await refresh()
    },
    onError: (error, _input, before) => {
      for (const [key, data] of before ?? []) queryClient.setQueryData(key, data)
      // A rejected change often means that the shown data is out of date.
      if (backendError(error)) void refresh()
      // The form shows a conflict with both values.
      if (error instanceof EditConflict || isShownByForm?.(error)) return
      const description = typeof errorText === 'function' ? errorText(error) : (errorText ?? error.message)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
