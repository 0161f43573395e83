import { useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { functionErrorMessage } from '#app/session/function-error-message.ts'
import { goToPayment, preparePayment } from '#app/storefront/order/payment.ts'
import { useReturnFromPayment } from '#app/storefront/order/use-return-from-payment.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { shop } from '#shop'
import styles from './order.module.css'
import { useCancelOrder, useOwnOrder, type CustomerOrder } from './own-order.ts'

/** What can be done about an order that is not paid: pay, or let it go. */
export function Unpaid({ order }: { order: CustomerOrder }) {
  if (order.is_being_confirmed) {
    return (
      <div className={styles.unpaid} role="status">
        <p>
          <strong>Your payment is being confirmed.</strong> This page follows it; please do not pay again.
        </p>
      </div>
    )
  }
  return (
    <div className={styles.unpaid}>
      <p>
        <strong>{unpaidText(order)}</strong>{' '}
        {order.held_amount === 0 && order.expires_at && (
          <>We keep it until {byWhen(order.expires_at)}; then it is cancelled.</>
        )}
      </p>
      <div className={styles.actions}>
        {order.may_be_paid && <PayNow order={order} />}
        <CancelOrder order={order} />
      </div>
    </div>
  )
}

/** Some of the money may be here already, when it was too little. */
function unpaidText(order: CustomerOrder): string {
  const heldCents = centsFromRand(order.held_amount)
  if (heldCents === 0) return 'This order is not paid yet.'
  const received = `We received ${formatTotal(heldCents)} of ${formatTotal(centsFromRand(order.total_amount))}.`
  return order.may_be_paid
    ? `${received} Please pay the rest.`
    : `${received} We’ll e-mail you about the difference; please don’t pay again.`
}

const moment = new Intl.DateTimeFormat(shop.locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: shop.timeZone,
})

function byWhen(at: string): string {
  return moment.format(new Date(at))
}

const NOT_REACHED = 'We could not reach the payment page. Nothing was charged; please try again.'

function PayNow({ order }: { order: CustomerOrder }) {
  const { refetch } = useOwnOrder(order.id)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useReturnFromPayment(() => setIsBusy(false))

  const pay = async () => {
    setIsBusy(true)
    setProblem(null)
    try {
      const due = { ...order, total_amount: order.amount_due }
      const payer = { email: order.customer_email ?? '', fullName: order.customer_name ?? '' }
      goToPayment(await preparePayment(await loadBackend(), { order: due, payer }))
    } catch (error) {
      console.error('the payment did not begin', error)
      const refusal = await functionErrorMessage(error)
      setProblem(refusal ? `${refusal} Nothing was charged.` : NOT_REACHED)
      setIsBusy(false)
      // Paid or cancelled in the meantime: then the page has something else to say.
      await refetch()
    }
  }

  return (
    <>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Button look="action" size="large" disabled={isBusy} onClick={() => void pay()}>
        {isBusy ? 'One moment...' : `Pay ${formatTotal(centsFromRand(order.amount_due))}`}
      </Button>
    </>
  )
}

function CancelOrder({ order }: { order: CustomerOrder }) {
  const [isAsking, setIsAsking] = useState(false)
  const toast = useToast()
  const cancellation = useCancelOrder(order.id)
  const number = `#${orderNumberText(order.order_number)}`
  const heldCents = centsFromRand(order.held_amount)

  const cancel = () =>
    cancellation.mutate(undefined, {
      onSuccess(isCancelled) {
        setIsAsking(false)
        if (isCancelled) toast({ title: `Order ${number} is cancelled` })
        else toast({ title: 'Not cancelled', description: 'The order has moved on in the meantime.' })
      },
      onError: () =>
        toast({
          title: 'Error',
          description: 'The order was not cancelled. Please try again.',
          tone: 'destructive',
        }),
    })

  return (
    <>
      <Button look="outline" size="large" onClick={() => setIsAsking(true)}>
        Cancel order
      </Button>
      <ConfirmDialog
        title={`Cancel order ${number}?`}
        question={
          heldCents > 0
            ? `Its lures go back on the shelf, and we refund the ${formatTotal(heldCents)} that you paid.`
            : 'Its lures go back on the shelf. Nothing was charged, and your cart keeps what is in it.'
        }
        confirm={{ label: 'Cancel order', busyLabel: 'Cancelling...', isBusy: cancellation.isPending }}
        dismissLabel="Keep it"
        isOpen={isAsking}
        onConfirm={cancel}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
