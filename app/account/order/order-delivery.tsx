import { ExternalLink } from 'lucide-react'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { formatPhone } from '#domain/south-africa.ts'
import { noWrap } from '#app/ui/no-wrap.tsx'
import { trackingLink } from '#domain/tracking.ts'
import type { CustomerOrderView } from '#domain/order.ts'

export function OrderDelivery({ order }: { order: CustomerOrderView }) {
  return (
    <Stack as="section" gap={3} justify="start" aria-labelledby="delivery">
      <h2 id="delivery">Delivery</h2>
      {order.isHandOver ? (
        <p>
          <strong>Handed over in person</strong>
        </p>
      ) : (
        <Address order={order} />
      )}
      {order.notes && <Text tone="muted">Your note: {order.notes}</Text>}
      {!order.isHandOver && <Tracking order={order} />}
    </Stack>
  )
}

function Address({ order }: { order: CustomerOrderView }) {
  const isLocker = order.shippingMethod === 'locker'
  return (
    <>
      <p>
        <strong>{isLocker ? 'To a locker' : 'To your door'}</strong>
        {isLocker && order.locker && <>: {order.locker}</>}
      </p>
      <address>
        {order.customerName}
        <br />
        {order.street}
        <br />
        {order.city}, {order.postalCode}
        <br />
        {order.province}
        {order.customerPhone && (
          <>
            <br />
            {noWrap(formatPhone(order.customerPhone))}
          </>
        )}
      </address>
    </>
  )
}

function Tracking({ order: { courier, trackingNumber } }: { order: CustomerOrderView }) {
  if (!trackingNumber && !courier) return null
  const link = trackingLink(courier?.tracking_url ?? null, trackingNumber)
  return (
    <Stack divided="above" gap={2} align="start">
      <p>
        {courier && <>With {courier.name}. </>}
        {trackingNumber && (
          <>
            Tracking number{' '}
            <Text as="strong" numeric>
              {trackingNumber}
            </Text>
          </>
        )}
      </p>
      {link && (
        <Row screenOnly as="a" inline gap={2} weight={600} href={link} target="_blank" rel="noreferrer">
          Follow the parcel
          <ExternalLink size={16} aria-hidden />
        </Row>
      )}
    </Stack>
  )
}
