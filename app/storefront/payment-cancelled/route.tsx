import { useSearchParams } from 'react-router'
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
  const cancellation = useCancellation(search.get('order_id'))

  switch (cancellation.state) {
    case 'looking':
      return <PaymentPage heading="Payment Cancelled" isBusy />
    case 'paid':
      return (
        <PaymentPage
          heading="This order is paid"
          orderNumber={cancellation.order.order_number}
          tone="success"
        >
          <p>Your payment had already come through, so the order stands. There is nothing more to do.</p>
          <ButtonLink look="action" size="large" to="/">
            Return to Home
          </ButtonLink>
        </PaymentPage>
      )
    case 'cancelled':
      return (
        <PaymentPage heading="Payment Cancelled" orderNumber={cancellation.orderNumber ?? undefined}>
          <p>No money has moved. Your cart and what you typed are kept, so trying again takes one click.</p>
          <ButtonLink look="action" size="large" to="/checkout">
            Try Again
          </ButtonLink>
          <ButtonLink look="outline" size="large" to="/">
            Return to Home
          </ButtonLink>
        </PaymentPage>
      )
  }
}
