import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { createQueryClient } from '#app/data/query-client.ts'
import type { PayAgain } from '#app/storefront/order/payment.ts'
import { PaymentPage } from '#app/storefront/order/payment-page.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { shop } from '#shop'
import { useCancellation } from './use-cancellation.ts'

export const meta = () => [
  { title: `Payment cancelled – ${shop.name}` },
  { name: 'robots', content: 'noindex' },
]

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
          <ButtonLink look="action" size="large" to="/">
            Return to Home
          </ButtonLink>
        </PaymentPage>
      )
    case 'still-open':
      return (
        <PaymentPage heading="Payment Cancelled" orderNumber={cancellation.order.number}>
          <p>
            Your order is still open, with any money we received for it. Its page shows what happens next.
          </p>
          <ButtonLink look="action" size="large" isWide to={`/account/orders/${cancellation.order.id}`}>
            Go to my order
          </ButtonLink>
          <ButtonLink look="outline" size="large" isWide to="/">
            Return to Home
          </ButtonLink>
        </PaymentPage>
      )
    case 'unknown':
      return (
        <PaymentPage heading="Payment Cancelled">
          <p>
            Your cart is saved. If you have placed an order, <Link to="/account">your account</Link> shows
            whether it is paid.
          </p>
          <RetryLinks />
        </PaymentPage>
      )
    case 'cancelled': {
      const { number, totalCents } = cancellation.order
      return (
        <PaymentPage heading="Payment Cancelled" orderNumber={number}>
          <p>No money has moved. We kept your cart and what you typed, so you can pay again right away.</p>
          <RetryLinks retry={{ payAgainTotalCents: totalCents }} />
        </PaymentPage>
      )
    }
  }
}

/** With `retry`, Try Again places the same order again and continues to the payment. */
function RetryLinks({ retry }: { retry?: PayAgain }) {
  return (
    <>
      <ButtonLink look="action" size="large" isWide to="/checkout" state={retry}>
        Try Again
      </ButtonLink>
      <ButtonLink look="outline" size="large" isWide to="/">
        Return to Home
      </ButtonLink>
    </>
  )
}
