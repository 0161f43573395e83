import { HandCoins } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { queryBackend } from '#app/data/query-backend.ts'
import { formatTotal } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { PaymentFields, INITIAL_PAYMENT, type PaymentInput } from '../staff-order/payment-fields.tsx'
import { MONEY } from './refund-changes.ts'

/** Records a full payment by EFT or in cash. */
export function RecordPayment({ order }: { order: StaffOrder }) {
  const [payment, setPayment] = useState<PaymentInput | null>(null)
  const close = () => setPayment(null)
  const record = useToastMutation({
    mutationFn: ({ paidBy, reference }: PaymentInput) =>
      queryBackend((backend) =>
        backend.rpc('record_payment', {
          order_id: order.id,
          // The form starts with EFT and does not offer to leave the order unpaid.
          way: paidBy ?? 'eft',
          reference: reference.trim() || null,
        }),
      ),
    success: 'Payment recorded',
    invalidates: MONEY,
  })

  return (
    <>
      <Button onClick={() => setPayment({ ...INITIAL_PAYMENT, paidBy: 'eft' })}>
        <HandCoins size={18} aria-hidden /> Record payment
      </Button>
      {payment && (
        <DialogForm
          title={`Payment of order #${order.number}`}
          submit="Record payment"
          isBusy={record.isPending}
          onSubmit={() => record.mutate(payment, { onSuccess: close })}
          onClose={close}
        >
          <p>
            Confirm that you received {formatTotal(order.totalCents)}. This marks the order as paid and
            e-mails the customer the confirmation.
          </p>
          <PaymentFields payment={payment} onChange={setPayment} mustBePaid />
        </DialogForm>
      )}
    </>
  )
}
