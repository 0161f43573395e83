import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { createQueryClient } from '#app/data/query-client.ts'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { clearCheckoutDraft } from '#app/storefront/checkout/draft.ts'
import { CANCELLED_HEADING, CancelledOrder } from '#app/storefront/order/cancelled-order.tsx'
import { PaymentPage, WaysOut } from '#app/storefront/order/payment-page.tsx'
import { facts } from '#app/storefront/reading/facts.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { formatTotal } from '#domain/money.ts'
import type { OrderView } from '#domain/order.ts'
import { shop } from '#shop'
import { unlisted } from '../page-meta.ts'
import { useConfirmation } from './use-confirmation.ts'

export const meta = unlisted('Your order')

const CONTINUE = 'Continue Shopping'

export default function PaymentSuccess() {
  const [search] = useSearchParams()
  const [queries] = useState(() =>
    createQueryClient((error) => console.error('the order was not read', error)),
  )
  const { confirmation, checkAgain } = useConfirmation(search.get('order_id'), queries)

  switch (confirmation.state) {
    case 'loading':
      return <PaymentPage heading="Confirming payment" isBusy />
    case 'unknown':
      return (
        <PaymentPage heading="Thank you">
          <ThankYou />
        </PaymentPage>
      )
    case 'confirming': {
      const { order, isWaiting } = confirmation
      return (
        <PaymentPage heading="Confirming payment" orderNumber={order.number} isBusy={isWaiting}>
          <Confirming order={order} isWaiting={isWaiting} onCheckAgain={checkAgain} />
        </PaymentPage>
      )
    }
    case 'paid':
      return (
        <PaymentPage heading="Payment Successful!" tone="success" orderNumber={confirmation.order.number}>
          <Paid order={confirmation.order} />
        </PaymentPage>
      )
    case 'cancelled':
      return (
        <PaymentPage heading={CANCELLED_HEADING} orderNumber={confirmation.order.number}>
          <CancelledOrder order={confirmation.order} />
        </PaymentPage>
      )
  }
}

function Paid({ order }: { order: OrderView }) {
  const { reload } = useCart()
  const isFree = order.totalCents === 0

  // The database has removed the bought lines from the cart.
  useEffect(() => {
    clearCheckoutDraft()
    void reload()
  }, [reload])

  return (
    <>
      <p>
        {isFree
          ? 'Thank you. There was nothing to pay, and we have your order.'
          : `Thank you. We have your payment of ${formatTotal(order.totalCents)}.`}{' '}
        We pack within {facts.processing} (lures made to order take {facts.making} first)
        {order.customerEmail ? `, and a confirmation is on its way to ${order.customerEmail}.` : '.'}
      </p>
      <WaysOut home={CONTINUE} />
      <ButtonLink look="outline" size="large" isWide to={`/account/orders/${order.id}`}>
        Follow my order
      </ButtonLink>
    </>
  )
}

interface ConfirmingProps {
  order: OrderView
  isWaiting: boolean
  onCheckAgain: () => void
}

function Confirming({ order, isWaiting, onCheckAgain }: ConfirmingProps) {
  const [hasAsked, setHasAsked] = useState(false)
  const ask = () => {
    setHasAsked(true)
    onCheckAgain()
  }

  return (
    <>
      {isWaiting ? (
        <p>
          We're waiting for PayFast to confirm your payment. This usually takes a few seconds. You don't have
          to wait here: we'll e-mail you as soon as it is confirmed. Please do not pay again.
        </p>
      ) : (
        <p>
          This order isn't marked as paid yet, but you don't have to wait here: we'll e-mail you as soon as it
          is. <Link to={`/account/orders/${order.id}`}>The order's page</Link> shows what we've received.
          Please do not pay again.
        </p>
      )}
      {(hasAsked || !isWaiting) && (
        // `disabled` would take the focus from the button that was pressed.
        <Button
          look="solid"
          size="large"
          isWide
          aria-disabled={isWaiting}
          onClick={isWaiting ? undefined : ask}
        >
          {isWaiting ? 'Checking...' : 'Check again'}
        </Button>
      )}
      <ButtonLink look="outline" size="large" isWide to="/">
        {CONTINUE}
      </ButtonLink>
    </>
  )
}

/** Shown when the order is unknown: reveals nothing about other people's orders. */
function ThankYou() {
  return (
    <>
      <p>
        Thank you for shopping with {shop.name}. If you have just paid, your confirmation will reach you by
        e-mail within minutes.
      </p>
      <WaysOut home={CONTINUE} />
    </>
  )
}
