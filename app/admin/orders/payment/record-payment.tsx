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
      return queryBackend((backend) =>
        backend.from('orders').select('paid_at').eq('id', payment.order_id).single(),
      )
    },
    success: (_payment, { paid_at }) => ({
      title: 'Payment recorded',
      description:
        paid_at === null
          ? 'The lures are sold out, so the order stays unpaid. Accept or refund the payment under Needs attention.'
          : undefined,
    }),
    invalidates: MONEY,
  })
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
