import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isBackendError } from '#app/session/backend-error.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useIsPacker } from '../frame/role.ts'
import { EditConflict } from './save-unless-changed.ts'
import { latestChangeOf, useUndo, type ChangedRow } from '../history/undo.ts'

interface Change<Input, Result> {
  change: (input: Input) => Promise<Result>
  /** What the toast says when it is done. */
  done: string | ((input: Input, result: Result) => Toast)
  /** The lists that show what was changed: the first word of their query keys. */
  refreshes: readonly string[]
  /** Replaces the backend's message where the failure has a text of its own. */
  failure?: string | ((error: Error) => string)
  /** Failures that the form tells in its own place; no toast. */
  isShownByForm?: (error: Error) => boolean
  /** The row whose change the toast offers to undo; only where the database can (`private.history_tables`). */
  undoes?: (input: Input, result: Result) => ChangedRow | null
}

/** A change an admin makes: tells how it went and brings the lists up to date. A failed one keeps what was typed. */
export function useChange<Input, Result>(options: Change<Input, Result>) {
  const { change, done, refreshes, failure, isShownByForm, undoes } = options
  const toast = useToast()
  const undo = useUndo()
  // The log, and what is taken back by it, is the admins'.
  const isPacker = useIsPacker()
  const queryClient = useQueryClient()
  // Whatever is done may be one thing less to do.
  const refresh = () =>
    Promise.all(
      [...refreshes, 'attention-counts', 'history'].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name] }),
      ),
    )

  const undoAction = (changed: ChangedRow) => {
    const entry = latestChangeOf(changed)
    // Who presses hears of it; who does not need not.
    entry.catch(() => undefined)
    return { label: 'Undo', run: () => undo.mutate(entry) }
  }

  return useMutation({
    mutationFn: change,
    onSuccess: async (result, input) => {
      const told = typeof done === 'string' ? { title: done } : done(input, result)
      const changed = isPacker ? null : undoes?.(input, result)
      toast(changed ? { ...told, action: undoAction(changed) } : told)
      await refresh()
    },
    onError: (error) => {
      // A refusal often means that what was shown is out of date.
      if (isBackendError(error.cause)) void refresh()
      // The form tells it, with both values.
      if (error instanceof EditConflict || isShownByForm?.(error)) return
      const description = typeof failure === 'function' ? failure(error) : (failure ?? error.message)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
