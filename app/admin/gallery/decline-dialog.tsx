import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextArea } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import { autofocusRef } from '../form/autofocus-ref.ts'
import gallery from './gallery.module.css'
import type { Submission } from './submission.ts'

interface Props {
  submission: Submission
  photo: string | undefined
  isBusy: boolean
  onDecline: (reason: string) => void
  onClose: () => void
}

/** Asks for an internal reason. The sender gets no e-mail about a declined photo. */
export function DeclineDialog({ submission, photo, isBusy, onDecline, onClose }: Props) {
  const [reason, setReason] = useState('')

  const decline = (event: FormEvent) => {
    event.preventDefault()
    onDecline(reason)
  }

  return (
    <FormDialog title={`Decline the photo from ${submission.customer_name}`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={decline}>
        {photo && <img className={gallery.declined} src={photo} alt={submission.description} />}
        <TextArea
          label="Reason"
          isOptional
          hint="Visible to staff only; the sender gets no e-mail."
          rows={3}
          maxLength={500}
          value={reason}
          ref={autofocusRef}
          onValue={setReason}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit()
          }}
        />
        <Row gap={3} align="stretch" justify="end" wrap className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={isBusy}>
            Decline
          </Button>
        </Row>
      </form>
    </FormDialog>
  )
}
