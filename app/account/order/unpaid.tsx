import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { failureText } from '#app/data/failure-text.ts'
import { functionErrorMessage } from '#app/data/function-error-message.ts'
import { goToPayment, preparePayment } from '#app/storefront/order/payment.ts'
import { useReturnFromPayment } from '#app/storefront/order/use-return-from-payment.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorText, Panel, Row } from '#app/ui/layout.tsx'
import { errorToast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useIsStillHere } from '#app/ui/use-is-still-here.ts'
import { dateFormat } from '#domain/dates.ts'
import { formatTotal } from '#domain/money.ts'
import type { CustomerOrderView } from '#domain/order.ts'
import styles from './order.module.css'
import { useCancelOrder, useOwnOrder } from './own-order.ts'

/** Pay and Cancel buttons for an unpaid order. */
export function Unpaid({ order }: { order: CustomerOrderView }) {
  const payment = usePayment(order)
  const cancellation = useCancelOrder(order.id)
  // Otherwise a customer could pay an order that is being cancelled.
  const isBusy = payment.isBusy || cancellation.isPending

  if (order.isBeingConfirmed) {
    return (
      <Panel screenOnly as="p" kind="warning" isMarked role="status">
        <strong>Your payment is being confirmed.</strong> This page updates automatically. Please don’t pay
        again.
      </Panel>
    )
  }
  return (
    <Panel screenOnly kind="warning" isMarked gap={4}>
      <p>
        <strong>{unpaidText(order)}</strong>{' '}
        {order.heldCents === 0 && order.expiresAt && (
          <>We’ll keep it until {deadlineText(order.expiresAt)}, then cancel it. </>
        )}
        {order.heldCents === 0 && order.mayBePaid && (
          // PayFast's notice may be late, and /payment-success links to this page.
          <>If you’ve just paid, please wait for our e-mail and don’t pay again.</>
        )}
      </p>
      <Row gap={3} align="stretch" wrap>
        {order.mayBePaid && <PayNow order={order} payment={payment} isDisabled={isBusy} />}
        <CancelOrder order={order} cancellation={cancellation} isDisabled={isBusy} />
      </Row>
    </Panel>
  )
}

/** An unpaid order may hold money: too little, too much, or the whole total when its lures were sold out by then. */
function unpaidText(order: CustomerOrderView): string {
  const { heldCents } = order
  if (heldCents === 0) {
    return order.mayBePaid
      ? 'We have no payment for this order yet.'
      : 'We’re refunding what you paid for this order. You can pay again when that is done.'
  }
  if (heldCents >= order.totalCents) {
    return `We received ${formatTotal(heldCents)} for this order but can’t confirm it yet. We’ll e-mail you what happens next; please don’t pay again.`
  }
  const received = `We received ${formatTotal(heldCents)} of ${formatTotal(order.totalCents)}.`
  return order.mayBePaid
    ? `${received} Please pay the rest.`
    : `${received} We’ll e-mail you about the difference; please don’t pay again.`
}

const deadlineText = dateFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})

/** Returns why no payment started. An earlier one may have been charged, so it does not say that nothing was. */
export async function startFailure(error: unknown): Promise<string> {
  return (await functionErrorMessage(error)) ?? 'We couldn’t reach the payment page. Please try again.'
}

/** Stays busy after a success, while the browser leaves for the payment page. */
function usePayment(order: CustomerOrderView) {
  const isStillHere = useIsStillHere()
  const { refetch } = useOwnOrder(order.id)
  const payment = useMutation({
    mutationFn: async () => {
      try {
        return await preparePayment(await loadBackend(), {
          ...order,
          totalCents: order.dueCents,
          returnsToOrder: true,
        })
      } catch (error) {
        console.error('the payment did not start', error)
        throw new Error(await startFailure(error), { cause: error })
      }
    },
    // The order may have been paid or cancelled in the meantime.
    onError: () => void refetch(),
  })
  useReturnFromPayment({ isLeaving: payment.isSuccess, onReturn: payment.reset })

  return {
    // This callback does not run after the customer has opened another page: they no longer expect to pay.
    pay: () =>
      payment.mutate(undefined, {
        onSuccess(form) {
          if (isStillHere()) goToPayment(form)
        },
      }),
    isBusy: payment.isPending || payment.isSuccess,
    problem: payment.error?.message,
  }
}

interface PayNowProps {
  order: CustomerOrderView
  payment: ReturnType<typeof usePayment>
  isDisabled: boolean
}

function PayNow({ order, payment, isDisabled }: PayNowProps) {
  return (
    <>
      <ErrorText className={styles.problem} role="alert">
        {payment.problem}
      </ErrorText>
      <Button look="action" size="large" disabled={isDisabled} onClick={payment.pay}>
        {payment.isBusy ? 'One moment...' : `Pay ${formatTotal(order.dueCents)}`}
      </Button>
    </>
  )
}

const cancellationFailure = failureText({
  refused: 'The order was not cancelled. Please try again.',
  lost: 'We didn’t get an answer, so the order may already be cancelled. Please reload the page.',
})

interface CancelOrderProps {
  order: CustomerOrderView
  cancellation: ReturnType<typeof useCancelOrder>
  isDisabled: boolean
}

function CancelOrder({ order, cancellation, isDisabled }: CancelOrderProps) {
  const [isAsking, setIsAsking] = useState(false)
  const toast = useToast()
  const number = `#${order.number}`

  const cancel = () =>
    cancellation.mutate(undefined, {
      onSuccess(isCancelled) {
        setIsAsking(false)
        if (isCancelled) toast({ title: `Order ${number} is cancelled` })
        else toast({ title: 'Not cancelled', description: 'The order’s status has changed in the meantime.' })
      },
      onError: (error) => toast(errorToast(cancellationFailure(error))),
    })

  return (
    <>
      <Button look="outline" size="large" disabled={isDisabled} onClick={() => setIsAsking(true)}>
        Cancel order
      </Button>
      <ConfirmDialog
        title={`Cancel order ${number}?`}
        question={cancellationQuestion(order)}
        confirm={{ label: 'Cancel order', busyLabel: 'Cancelling...', isBusy: cancellation.isPending }}
        dismissLabel="Keep order"
        isOpen={isAsking}
        onConfirm={cancel}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

/** The money of a payment may still be on its way, so the question does not say that nothing was charged. */
export function cancellationQuestion({ heldCents, mayBePaid }: CustomerOrderView): string {
  if (heldCents > 0) return `We’ll release its lures and refund the ${formatTotal(heldCents)} that you paid.`
  return mayBePaid
    ? 'We’ll release its lures. We have no payment for it, and your cart stays as it is.'
    : 'We’ll release its lures. Your cart stays as it is.'
}
