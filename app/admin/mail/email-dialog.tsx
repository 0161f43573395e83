import { TextField } from '#app/ui/form/field.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
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
  const send = () => {
    if (isFilled) email.mutate({ subject, message }, { onSuccess: onClose })
    else toast({ title: 'Error', description: 'Please fill in all fields', tone: 'destructive' })
  }

  return (
    <DialogForm
      title="Send Email"
      submit="Send Email"
      isBusy={!isFilled || email.isPending}
      onSubmit={send}
      onClose={onClose}
    >
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
    </DialogForm>
  )
}
