import { useState } from 'react'
import { autofocusRef } from '#app/ui/autofocus-ref.ts'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
import styles from './gallery.module.css'
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

  return (
    <DialogForm
      title={`Decline the photo from ${submission.customer_name}`}
      submit="Decline"
      look="danger"
      isBusy={isBusy}
      onSubmit={() => onDecline(reason)}
      onClose={onClose}
    >
      {photo && <img className={styles.declined} src={photo} alt={submission.description} />}
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
    </DialogForm>
  )
}
