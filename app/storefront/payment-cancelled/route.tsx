import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { createQueryClient } from '#app/data/query-client.ts'
import { isPlacedHere } from '#app/storefront/checkout/draft.ts'
import { CANCELLED_HEADING, CancelledOrder } from '#app/storefront/order/cancelled-order.tsx'
import type { PayAgain } from '#app/storefront/order/payment.ts'
import { PaymentPage, WaysOut } from '#app/storefront/order/payment-page.tsx'
import { unlisted } from '../page-meta.ts'
import { useCancellation } from './use-cancellation.ts'

export const meta = unlisted('Payment cancelled')

const TRY_AGAIN = { to: '/checkout', label: 'Try Again' }

export default function PaymentCancelled() {
  const [search] = useSearchParams()
  const [queries] = useState(() =>
    createQueryClient((error) => console.error('the order was not read', error)),
  )
  const cancellation = useCancellation(search.get('order_id'), queries)

  switch (cancellation.state) {
    case 'loading':
      return <PaymentPage heading="Payment Cancelled" isBusy />
    case 'paid':
      return (
        <PaymentPage heading="This order is paid" orderNumber={cancellation.order.number} tone="success">
          <p>Your payment had already come through, so the order stands. There is nothing more to do.</p>
          <WaysOut />
        </PaymentPage>
      )
    case 'cancelled-with-money':
      return (
        <PaymentPage heading={CANCELLED_HEADING} orderNumber={cancellation.order.number}>
          <CancelledOrder order={cancellation.order} />
        </PaymentPage>
      )
    case 'still-open':
      return (
        <PaymentPage heading="Payment Cancelled" orderNumber={cancellation.order.number}>
          <p>
            Your order is still open, with any money we received for it. Its page shows what happens next.
          </p>
          <WaysOut first={{ to: `/account/orders/${cancellation.order.id}`, label: 'Go to my order' }} />
        </PaymentPage>
      )
    case 'unknown':
      return (
        <PaymentPage heading="Payment Cancelled">
          <p>
            Your cart is saved. If you have placed an order, <Link to="/account">your account</Link> shows
            whether it is paid.
          </p>
          <WaysOut first={TRY_AGAIN} />
        </PaymentPage>
      )
    case 'cancelled': {
      const { id, number } = cancellation.order
      const isHere = isPlacedHere(id)
      // Places the same order again and continues to the payment.
      const state: PayAgain | undefined = isHere ? { payAgainOrderId: id } : undefined
      return (
        <PaymentPage heading="Payment Cancelled" orderNumber={number}>
          <p>
            We have no payment for this order.{' '}
            {isHere
              ? 'We kept your cart and what you typed, so you can pay again right away.'
              : 'Your cart is saved.'}{' '}
            If you have paid, please don’t pay again: wait for our e-mail.
          </p>
          <WaysOut first={{ ...TRY_AGAIN, state }} />
        </PaymentPage>
      )
    }
  }
}
