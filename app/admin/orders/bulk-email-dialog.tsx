import type { FormEvent } from 'react'
import { Hint } from '#app/ui/layout.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import { StaffEmailPreview } from '../mail/staff-email-preview.tsx'
import { useEmailDraft } from '../mail/use-email-draft.tsx'
import { orderCountText, useBulkEmail, type BulkResult } from './bulk-orders.ts'
import { customerEmail, type Order } from './order.ts'

interface Props {
  orders: Order[]
  onSent: (outcome: BulkResult) => void
  onClose: () => void
}

/** Sends one message to the buyers of several orders, in separate mails. */
export function BulkEmailDialog({ orders, onSent, onClose }: Props) {
  const bulkEmail = useBulkEmail()
  const { subject, message, fields, isFilled } = useEmailDraft()

  // The preview shows the first customer's mail; the others differ only in the name.
  const first = orders.find((order) => customerEmail(order) !== null)

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isFilled) return
    bulkEmail.mutate(
      { orders, subject: subject.trim(), message: message.trim() },
      {
        onSuccess: (outcome) => {
          onClose()
          onSent(outcome)
        },
      },
    )
  }

  return (
    <FormDialog
      title={
        orders.length === 1
          ? 'E-mail the buyer of this order'
          : `E-mail the buyers of ${orderCountText(orders.length)}`
      }
      isOpen
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={send}>
        <Hint>Each customer gets one e-mail with their name, however many orders they have.</Hint>
        {fields}
        {first && (
          <StaffEmailPreview
            mail={{
              to: customerEmail(first),
              subject: subject.trim(),
              message: message.trim(),
              orderId: first.id,
            }}
            isReady={isFilled}
          />
        )}
        <FormActions label="Send Email" isBusy={!isFilled || bulkEmail.isPending} onCancel={onClose} />
      </form>
    </FormDialog>
  )
}
