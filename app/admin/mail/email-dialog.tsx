import { TextField } from '#app/ui/form/field.tsx'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
import { StaffEmailPreview } from './staff-email-preview.tsx'
import { useEmailDraft } from './use-email-draft.tsx'
import { callFunction } from '#app/data/query-backend.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

interface Props {
  recipient: Recipient
  onClose: () => void
}

export function EmailDialog({ recipient, onClose }: Props) {
  const toast = useToast()
  const email = useEmail(recipient)
  const { values, fields, isFilled } = useEmailDraft({ name: recipient.full_name })

  // The disabled button also blocks Enter; only a script or a browser extension can submit an empty form.
  const send = () => {
    // The dialog stays open after a duplicate, so that the text can be changed.
    if (isFilled) email.mutate(values, { onSuccess: ({ isDuplicate }) => isDuplicate || onClose() })
    else toast({ title: 'Error', description: 'Please fill in all fields', tone: 'destructive' })
  }

  return (
    <DialogForm
      title="Send Email"
      submit="Send Email"
      isBusy={email.isPending}
      isIncomplete={!isFilled}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField label="To" value={recipient.email ?? ''} readOnly />
      {fields}
      <StaffEmailPreview
        mail={{
          to: recipient.email,
          ...values,
          ...(recipient.orderId && { orderId: recipient.orderId }),
        }}
        isReady={isFilled}
      />
    </DialogForm>
  )
}

interface Recipient {
  email: string | null
  full_name: string | null
  /** Adds the e-mail to this order's timeline. */
  orderId?: string
}

const NOT_SENT_AGAIN: Toast = {
  title: 'E-mail not sent again',
  description:
    'This exact text was already e-mailed to this address today. Change the text to send it again.',
}

function useEmail({ email, orderId }: Recipient) {
  return useToastMutation({
    mutationFn: (draft: { subject: string; message: string }) =>
      callFunction('send-admin-email', {
        to: email,
        ...draft,
        ...(orderId && { orderId }),
      }),
    success: (_draft, { isDuplicate }) =>
      isDuplicate ? NOT_SENT_AGAIN : { title: 'Email sent successfully' },
    invalidates: orderId ? ['order-mails'] : [],
  })
}
