import { HandCoins } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { queryBackend } from '#app/data/query-backend.ts'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { FormActions } from '../../form/form-actions.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import formStyles from '../../form/form-dialog.module.css'
import { useToastMutation } from '../../form/use-toast-mutation.ts'
import { PaymentFields, INITIAL_PAYMENT, type PaymentInput } from '../staff-order/payment-fields.tsx'
import type { Order } from '../order.ts'

/** Records a full payment by EFT or in cash. */
export function RecordPayment({ order }: { order: Order }) {
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
    invalidates: ['orders'],
  })

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (payment) record.mutate(payment, { onSuccess: close })
  }

  return (
    <>
      <Button onClick={() => setPayment({ ...INITIAL_PAYMENT, paidBy: 'eft' })}>
        <HandCoins size={18} aria-hidden /> Record payment
      </Button>
      <FormDialog
        title={`Payment of order #${orderNumberText(order.order_number)}`}
        isOpen={payment !== null}
        onClose={close}
      >
        {payment && (
          <form className={formStyles.form} onSubmit={save}>
            <p>
              Confirm that you received {formatTotal(centsFromRand(order.total_amount))}. This marks the order
              as paid and e-mails the customer the confirmation.
            </p>
            <PaymentFields payment={payment} onChange={setPayment} mustBePaid />
            <FormActions label="Record payment" isBusy={record.isPending} onCancel={close} />
          </form>
        )}
      </FormDialog>
    </>
  )
}
