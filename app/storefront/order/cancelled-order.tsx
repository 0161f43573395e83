import { Link } from 'react-router'
import type { OrderView } from '#domain/order.ts'
import { shop } from '#shop'
import { WaysOut } from './payment-page.tsx'

export const CANCELLED_HEADING = 'This order was cancelled'

/**
 * The contents of the payment page for an order that may hold money: it was paid before its cancellation, or after it when its lures
 * were sold out.
 */
export function CancelledOrder({ order }: { order: OrderView }) {
  return (
    <>
      <p>
        If we received money for it, <Link to={`/account/orders/${order.id}`}>the order's page</Link> shows
        what we refund. If you made a payment that isn't shown there, write to{' '}
        <a href={`mailto:${shop.contact.email}?subject=Order%20${order.number}`}>{shop.contact.email}</a> and
        we'll put it right.
      </p>
      <WaysOut first={{ to: '/checkout', label: 'Back to the checkout' }} home="Continue Shopping" />
    </>
  )
}
