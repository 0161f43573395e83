import { HandCoins } from 'lucide-react'
import { useState } from 'react'
import { formatTotal } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { DialogButton } from '../../form/dialog-button.tsx'
import { DialogForm } from '../../form/dialog-form.tsx'
import { queryBackend } from '#app/data/query-backend.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { Args } from '#database'
import { PaymentFields, INITIAL_PAYMENT, type PaymentInput } from '../staff-order/payment-fields.tsx'
import { MONEY } from './refund-changes.ts'

/** Records a full payment by EFT or in cash, also one that arrived after the order was cancelled. */
export function RecordPayment({ order }: { order: StaffOrder }) {
  return (
    <DialogButton renderDialog={(close) => <PaymentDialog order={order} onClose={close} />}>
      <HandCoins size={18} aria-hidden /> Record payment
    </DialogButton>
  )
}

/** The payment of an order whose lures were sold is recorded too, and the order stays unpaid. */
function useRecordPayment() {
  return useToastMutation({
    mutationFn: async (payment: Args<'record_payment'>) => {
      await queryBackend((backend) => backend.rpc('record_payment', payment))
      return isPaid(payment.order_id).catch((error: unknown) => {
        // The payment is recorded. As a failure, it would be recorded again and refused.
        console.error('the order of the recorded payment could not be read', error)
        return null
      })
    },
    success: (_payment, isPaidNow) => ({ title: 'Payment recorded', description: stillToDo(isPaidNow) }),
    invalidates: MONEY,
  })
}

async function isPaid(orderId: string): Promise<boolean> {
  const order = await queryBackend((backend) =>
    backend.from('orders').select('paid_at').eq('id', orderId).single(),
  )
  return order.paid_at !== null
}

/** What is left to do after a payment was recorded; null: whether it paid its order is unknown. */
function stillToDo(isPaidNow: boolean | null): string | undefined {
  if (isPaidNow) return undefined
  if (isPaidNow === null)
    return 'If its lures are sold out, the order stays unpaid, and the payment waits under Needs attention.'
  return 'The lures are sold out, so the order stays unpaid. Accept or refund the payment under Needs attention.'
}

function PaymentDialog({ order, onClose }: { order: StaffOrder; onClose: () => void }) {
  const [payment, setPayment] = useState<PaymentInput>({ ...INITIAL_PAYMENT, paidBy: 'eft' })
  const record = useRecordPayment()
  const save = () => {
    // The form starts with EFT and does not offer to leave the order unpaid.
    const way = payment.paidBy ?? 'eft'
    const reference = payment.reference.trim() || null
    record.mutate({ order_id: order.id, way, reference }, { onSuccess: onClose })
  }

  return (
    <DialogForm
      title={`Payment of order #${order.number}`}
      submit="Record payment"
      isBusy={record.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <p>
        Confirm that you received {formatTotal(order.totalCents)}. This{' '}
        {order.status === 'cancelled' ? 'reinstates the order, marks it as paid' : 'marks the order as paid'}{' '}
        and e-mails the customer the confirmation. If its lures were sold in the meantime, the payment is
        recorded and needs your decision instead.
      </p>
      <PaymentFields payment={payment} onChange={setPayment} />
    </DialogForm>
  )
}
