import type { FormEvent } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import { StaffEmailPreview } from './staff-email-preview.tsx'
import { useEmail, type Recipient } from './use-email.ts'
import { useEmailDraft } from './use-email-draft.tsx'

interface Props {
  recipient: Recipient
  onClose: () => void
}

export function EmailDialog({ recipient, onClose }: Props) {
  const toast = useToast()
  const email = useEmail(recipient)
  const { subject, message, fields, isFilled } = useEmailDraft({ name: recipient.full_name })

  // The disabled button also blocks Enter; only a script or a browser extension can submit an empty form.
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isFilled) email.mutate({ subject, message }, { onSuccess: onClose })
    else toast({ title: 'Error', description: 'Please fill in all fields', tone: 'destructive' })
  }

  return (
    <FormDialog title="Send Email" isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={send}>
        <TextField label="To" value={recipient.email ?? ''} readOnly />
        {fields}
        <StaffEmailPreview
          mail={{
            to: recipient.email,
            subject: subject.trim(),
            message: message.trim(),
            ...(recipient.orderId && { orderId: recipient.orderId }),
          }}
          isReady={isFilled}
        />
        <FormActions label="Send Email" isBusy={!isFilled || email.isPending} onCancel={onClose} />
      </form>
    </FormDialog>
  )
}
