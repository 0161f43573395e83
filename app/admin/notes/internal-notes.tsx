import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Tables } from '#database'
import { Button } from '#app/ui/button.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { Row, Text } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import styles from './internal-notes.module.css'
import { useNames } from './names.ts'

export type InternalNote = Pick<Tables<'order_notes'>, 'id' | 'body' | 'author_id' | 'created_at'>

interface Props {
  notes: UseQueryResult<InternalNote[]>
  add: UseMutationResult<unknown, Error, string>
}

/** Notes for staff, styled differently from everything that customers see. */
export function InternalNotes({ notes, add }: Props) {
  const [draft, setDraft] = useState({ key: 0, body: '' })
  // Remounts the form after a save, unless the text has changed since.
  const reset = (saved: string) =>
    setDraft((now) => (now.body === saved ? { key: now.key + 1, body: '' } : now))
  const names = useNames((notes.data ?? []).map(({ author_id }) => author_id))

  return (
    <section className={styles.internal} aria-label="Internal notes">
      <Row gap={2} tone="warning" className={styles.internalHead}>
        <Lock size={18} aria-hidden />
        <h3>Internal notes</h3>
      </Row>
      {notes.isError && !notes.data && <p>The notes could not be loaded: {notes.error.message}</p>}
      {notes.data?.map(({ id, body, author_id, created_at }) => (
        <div key={id}>
          <Text as="blockquote" preLine size="s">
            {body}
          </Text>
          <Text tone="muted" size="xs">
            {names.data?.get(author_id) ?? 'Someone'}, <LocalDateTime at={created_at} />
          </Text>
        </div>
      ))}
      <NoteForm
        key={draft.key}
        body={draft.body}
        onType={(body) => setDraft({ ...draft, body })}
        add={add}
        onAdded={reset}
      />
    </section>
  )
}

interface FormProps extends Pick<Props, 'add'> {
  body: string
  onType: (body: string) => void
  onAdded: (saved: string) => void
}

function NoteForm({ body, onType, add, onAdded }: FormProps) {
  const isEmpty = body.trim() === ''

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmpty) add.mutate(body.trim(), { onSuccess: () => onAdded(body) })
  }

  return (
    <form onSubmit={submit}>
      <TextArea
        label="New note"
        hint="Visible to staff only."
        value={body}
        maxLength={2000}
        onValue={onType}
      />
      <Button type="submit" disabled={isEmpty || add.isPending}>
        Add note
      </Button>
    </form>
  )
}
