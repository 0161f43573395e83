import { Lock } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextArea } from '#app/ui/field.tsx'
import { Moment } from '#app/ui/when.tsx'
import styles from './timeline.module.css'
import { useAddNote, useInternalNotes, useNames } from './timeline-query.ts'

/** What the brothers tell each other. It looks like nothing a customer gets to see. */
export function InternalNotes({ orderId }: { orderId: string }) {
  const notes = useInternalNotes(orderId)
  const names = useNames((notes.data ?? []).map(({ author_id }) => author_id))

  return (
    <section className={styles.internal} aria-label="Internal notes">
      <div className={styles.internalHead}>
        <Lock size={18} aria-hidden />
        <h3>Internal notes</h3>
      </div>
      {notes.isError && !notes.data && <p>They could not be loaded: {notes.error.message}</p>}
      {notes.data?.map(({ id, body, author_id, created_at }) => (
        <div key={id}>
          <blockquote>{body}</blockquote>
          <p className={styles.who}>
            {names.data?.get(author_id) ?? 'Somebody'}, <Moment at={created_at} />
          </p>
        </div>
      ))}
      <NoteForm orderId={orderId} />
    </section>
  )
}

function NoteForm({ orderId }: { orderId: string }) {
  const addNote = useAddNote(orderId)
  const [body, setBody] = useState('')
  const isEmpty = body.trim() === ''

  const add = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmpty) addNote.mutate(body.trim(), { onSuccess: () => setBody('') })
  }

  return (
    <form onSubmit={add}>
      <TextArea
        label="New note"
        hint="Only the two of you read this. The customer never does."
        value={body}
        maxLength={2000}
        onChange={(event) => setBody(event.target.value)}
      />
      <Button type="submit" disabled={isEmpty || addNote.isPending}>
        Add note
      </Button>
    </form>
  )
}
