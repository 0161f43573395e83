import type { MailedOrder } from './order.ts'
import { Paragraph, Subtitle } from './text.tsx'

/** The locker or the address that the parcel goes to. A hand-over has no parcel. */
export function DeliveryAddress({ order }: { order: MailedOrder }) {
  if (order.isHandOver) return null
  const toLocker = order.shippingMethod === 'locker'
  const lines = [
    toLocker ? `Locker: ${order.locker ?? 'nearest to you'}` : null,
    order.customerName,
    order.street,
    order.city,
    order.province,
    order.postalCode,
  ]
  return (
    <>
      <Subtitle>{toLocker ? 'To your locker' : 'To your door'}</Subtitle>
      <Paragraph>
        {lines.filter(Boolean).map((line, index) => (
          <span key={index}>
            {index > 0 && <br />}
            {line}
          </span>
        ))}
      </Paragraph>
    </>
  )
}
