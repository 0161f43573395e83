import { HandCoins } from 'lucide-react'
import { useState } from 'react'
import { queryBackend } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Hint } from '#app/ui/layout.tsx'
import type { Args } from '#database'
import { centsFromRand, formatTotal, parseRand, randText } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { todayInSouthAfrica } from '#domain/today.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { PaymentFields, INITIAL_PAYMENT, type PaymentInput } from '../manual-order/payment-fields.tsx'
import { amountDue, effectText, paymentProblem, stillToDo, UNDECIDED, type AmountDue } from './amount-due.ts'
import type { Balance } from './payment-record-query.ts'
import { MONEY } from './refund-changes.ts'

interface Props {
  order: StaffOrder
  balances: Balance[]
}

/** Records money that came by EFT or in cash, also for an order that is cancelled or already paid. */
export function RecordPayment({ order, balances }: Props) {
  // Not a DialogButton: the dialog keeps its input when the order's money changes meanwhile.
  const [isOpen, setIsOpen] = useState(false)
  const due = amountDue(order, balances)
  return (
    <>
      {due.state === 'undecided' ? (
        <Hint>{UNDECIDED}</Hint>
      ) : (
        <Button onClick={() => setIsOpen(true)}>
          <HandCoins size={18} aria-hidden /> {buttonLabel(due)}
        </Button>
      )}
      {isOpen && (
        <PaymentDialog order={order} due={due} balances={balances} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}

function buttonLabel(due: AmountDue): string {
  if (due.state === 'paid') return 'Record another payment'
  return due.state === 'due' && due.isRest ? 'Record the rest' : 'Record payment'
}

interface Recording {
  payment: Args<'record_payment'>
  due: AmountDue
  cents: number
}

/** The payment of an order whose lures were sold is recorded too, and the order stays unpaid. */
function useRecordPayment() {
  return useToastMutation({
    mutationFn: async ({ payment }: Recording) => {
      await queryBackend((backend) => backend.rpc('record_payment', payment))
      return isPaid(payment.order_id).catch((error: unknown) => {
        // The payment is recorded. As a failure, it would be recorded again.
        console.error('the order of the recorded payment could not be read', error)
        return null
      })
    },
    success: ({ due, cents }, isPaidNow) => ({
      title: 'Payment recorded',
      description: stillToDo(due, cents, isPaidNow),
    }),
    invalidates: MONEY,
  })
}

async function isPaid(orderId: string): Promise<boolean> {
  const order = await queryBackend((backend) =>
    backend.from('orders').select('paid_at').eq('id', orderId).single(),
  )
  return order.paid_at !== null
}

/** Returns what the order has received, in rand, when it differs from what the form showed; otherwise null. */
function receivedNow(error: Error): number | null {
  const hint = backendError(error, 'payments_changed')?.hint
  return hint ? JSON.parse(hint).received : null
}

function PaymentDialog({ order, balances, due, onClose }: Props & { due: AmountDue; onClose: () => void }) {
  const [payment, setPayment] = useState<PaymentInput>({ ...INITIAL_PAYMENT, paidBy: 'eft' })
  const [amount, setAmount] = useState(due.state === 'due' ? randText(due.cents) : '')
  const [today] = useState(() => todayInSouthAfrica(new Date()))
  const [day, setDay] = useState(today)
  // Kept when the record is loaded again, so that a retry after a lost response is refused if the payment was recorded.
  const [was, setWas] = useState(
    () => balances.reduce((sum, { amount_gross }) => sum + centsFromRand(amount_gross), 0) / 100,
  )
  const [isTried, setIsTried] = useState(false)
  const record = useRecordPayment()
  const cents = parseRand(amount)
  const problem = paymentProblem(due, cents)
  const dayText = dayProblem(day, today)

  const save = () => {
    setIsTried(true)
    if (problem || dayText || cents === null) return
    // The form starts with EFT and does not offer to leave the order unpaid.
    const way = payment.paidBy ?? 'eft'
    const reference = payment.reference.trim() || null
    record.mutate(
      {
        payment: { order_id: order.id, way, reference, amount: cents / 100, received_on: day, was },
        due,
        cents,
      },
      { onSuccess: onClose, onError: (error) => setWas(receivedNow(error) ?? was) },
    )
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
        <strong>{order.customerName ?? order.customerEmail ?? 'N/A'}</strong>, {dueText(order, due)}
      </p>
      <TextField
        label="Amount (R)"
        inputMode="decimal"
        value={amount}
        autoComplete="off"
        error={isTried ? problem : null}
        onValue={setAmount}
      />
      <TextField
        label="Received on"
        type="date"
        value={day}
        max={today}
        error={isTried ? dayText : null}
        onValue={setDay}
      />
      <PaymentFields payment={payment} onChange={setPayment} />
      {!problem && cents !== null && (
        <Hint>{effectText(due, cents, { isCancelled: order.status === 'cancelled' })}</Hint>
      )}
    </DialogForm>
  )
}

function dueText({ totalCents }: StaffOrder, due: AmountDue): string {
  const total = formatTotal(totalCents)
  if (due.state === 'due')
    return due.isRest ? `${formatTotal(due.cents)} of ${total} is still due` : `${total} is due`
  return due.state === 'paid' ? `${total} is paid` : total
}

/** The database knows the first day: that of the order, or of the first one that it replaces. */
function dayProblem(day: string, today: string): string | null {
  if (day === '') return 'Please choose the day on which the money arrived'
  return day > today ? 'Please choose today or an earlier day' : null
}
