import { useRef, useState } from 'react'
import type { QuerySubject } from '#app/data/query-keys.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { RecordedRow } from '../history/change-words.ts'
import { ConflictMessage } from './conflict-message.tsx'
import { saveUnlessChanged, type Versioned, type VersionedTable } from './save-unless-changed.ts'

interface SaveOptions<Values> {
  success: string | ((values: Values) => string)
  invalidates: readonly QuerySubject[]
  errorText?: string
  /** Whether the toast may offer Undo; by default always. */
  isUndoable?: (values: Values) => boolean
}

/** Saves columns of a row with optimistic locking. */
export function useSave<Values extends object>(
  table: VersionedTable,
  { success, isUndoable = () => true, ...options }: SaveOptions<Values>,
) {
  return useToastMutation({
    mutationFn: ({ seen, values }: { seen: Versioned; values: Values }) =>
      saveUnlessChanged({ table, seen, values }),
    success: ({ values }) => ({ title: typeof success === 'string' ? success : success(values) }),
    undoes: ({ seen, values }) => (isUndoable(values) ? { table, id: seen.id } : null),
    ...options,
  })
}

interface Edit<Row, Values> {
  /** The row as it was when the form was opened. */
  row: Row
  mutation: ReturnType<typeof useSave<Values & object>>
  onSaved: () => void
  /** The values that the message shows as the user's; by default those of the last attempt. */
  values?: Values
  /** Returns what the message compares of a version; by default all values. */
  compared?: (version: RecordedRow) => RecordedRow
  /** Shows the values of the other person in the form. */
  onTake?: (theirs: Row) => void
}

/**
 * Saves a form with optimistic locking, and lets the user choose after someone else has changed the row. Render `conflict` inside the
 * form: “Keep mine” submits it again, so that what was typed since is validated and saved.
 */
export function useEdit<Row extends Versioned, Values extends object>(edit: Edit<Row, Values>) {
  const { row, mutation, values, compared, onSaved, onTake } = edit
  const [seen, setSeen] = useState(row)
  /** The newer version that the user has chosen to overwrite. */
  const overwritten = useRef<Versioned | null>(null)
  const mine = values ?? mutation.variables?.values
  const take = (now: Versioned) => {
    const theirs = { ...seen, ...now }
    setSeen(theirs)
    overwritten.current = null
    onTake?.(theirs)
    mutation.reset()
  }

  return {
    seen,
    save: (saved: Values) =>
      mutation.mutate({ seen: overwritten.current ?? seen, values: saved }, { onSuccess: onSaved }),
    conflict: mine && (
      <ConflictMessage
        error={mutation.error}
        mine={mine}
        compared={compared}
        onTake={take}
        onKeep={(now, form) => {
          overwritten.current = now
          form?.requestSubmit()
        }}
      />
    ),
  }
}
