import { useMemo, type ReactNode } from 'react'
import { AreaMutationsContext, type AreaMutations, type RowReference } from '#app/data/use-toast-mutation.ts'
import { useIsPacker } from '../frame/role.ts'
import { EditConflict } from './save-unless-changed.ts'
import { latestChangeOf, useUndo } from './undo.ts'

/** Adds to the mutations of the admin area: Undo in the toast, and fresh counts and history. */
export function StaffMutations({ children }: { children: ReactNode }) {
  const { mutate: undo } = useUndo()
  // Only admins may use the history and its undo.
  const isPacker = useIsPacker()

  const area = useMemo((): AreaMutations => {
    const undoAction = (changed: RowReference) => {
      const entry = latestChangeOf(changed)
      // Avoids an unhandled rejection; `undo` reports the error if Undo is pressed.
      entry.catch(() => undefined)
      return { label: 'Undo', run: () => undo(entry) }
    }
    return {
      // Any change may alter the attention counts.
      invalidates: ['attention-counts', 'history'],
      // The form shows a conflict with both values.
      isShownByForm: (error) => error instanceof EditConflict,
      undoAction: isPacker ? () => undefined : undoAction,
    }
  }, [undo, isPacker])

  return <AreaMutationsContext value={area}>{children}</AreaMutationsContext>
}
