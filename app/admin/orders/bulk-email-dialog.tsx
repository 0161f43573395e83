import { Hint } from '#app/ui/layout.tsx'
import type { StaffOrder } from '#domain/order.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { StaffEmailPreview } from '../mail/staff-email-preview.tsx'
import { useEmailDraft } from '../mail/use-email-draft.tsx'
import { orderCountText, useBulkEmail, type BulkResult } from './bulk-orders.ts'

interface Props {
  orders: StaffOrder[]
  /** Closes the dialog. */
  onSent: (outcome: BulkResult) => void
  onClose: () => void
}

/** Sends one message to the buyers of several orders, in separate mails. */
export function BulkEmailDialog({ orders, onSent, onClose }: Props) {
  const bulkEmail = useBulkEmail()
  const draft = useEmailDraft()

  // The preview shows the first customer's mail; the others differ only in the name.
  const first = orders.find(({ customerEmail }) => customerEmail !== null)

  const send = () => {
    if (!draft.isFilled) return
    bulkEmail.mutate({ orders, ...draft.values }, { onSuccess: onSent })
  }

  return (
    <DialogForm
      title={
        orders.length === 1
          ? 'E-mail the buyer of this order'
          : `E-mail the buyers of ${orderCountText(orders.length)}`
      }
      submit="Send Email"
      isBusy={bulkEmail.isPending}
      isIncomplete={!draft.isFilled}
      onSubmit={send}
      onClose={onClose}
    >
      <Hint>Each customer gets one e-mail with their name, however many orders they have.</Hint>
      {draft.fields}
      {first && (
        <StaffEmailPreview
          mail={{ to: first.customerEmail, ...draft.values, orderId: first.id }}
          isReady={draft.isFilled}
        />
      )}
    </DialogForm>
  )
}
