import { ExternalLink, Hourglass } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { Row, Section } from '#app/ui/layout.tsx'
import { trackingLink } from '#domain/tracking.ts'
import type { StaffOrder } from '#domain/order.ts'
import { useIsPacker } from '../frame/role.ts'
import { useCouriers } from './couriers.ts'
import { ShippingFields } from './shipping.tsx'
import { useShipping } from './use-shipping.ts'

export const SHIPPING_ANCHOR = 'tracking-and-shipping'

/** Renders nothing for an order that is handed over in person. */
export function OrderShipping({ order }: { order: StaffOrder }) {
  if (order.isHandOver) return null
  return (
    <Section
      title="Tracking &amp; Shipping"
      divided="above"
      aria-label="Tracking and Shipping"
      id={SHIPPING_ANCHOR}
    >
      {order.trackingNumber && <TrackingLink order={order} trackingNumber={order.trackingNumber} />}
      {order.paidAt === null || order.status === 'cancelled' ? (
        <NothingToShip order={order} />
      ) : (
        // The key remounts the form after shipping, which resets what was typed.
        <ShippingForm key={`${order.courierId} ${order.trackingNumber}`} order={order} />
      )}
    </Section>
  )
}

function TrackingLink({ order, trackingNumber }: { order: StaffOrder; trackingNumber: string }) {
  const couriers = useCouriers()
  const courier = couriers.data?.find(({ id }) => id === order.courierId)
  const address = courier && trackingLink(courier.tracking_url, trackingNumber)

  return (
    <Row as="p" gap={1} columnGap={3} wrap weight={650} breakWords>
      {courier && `${courier.name}, `}
      {trackingNumber}
      {address && (
        <Row as="a" inline gap={1} touch href={address} target="_blank" rel="noreferrer">
          Track parcel <ExternalLink size={16} aria-hidden />
        </Row>
      )}
    </Row>
  )
}

function NothingToShip({ order }: { order: StaffOrder }) {
  return (
    <Row as="p" gap={2} tone="muted" size="s">
      <Hourglass size={18} aria-hidden />
      {order.status !== 'cancelled'
        ? 'You can ship this order once it is paid.'
        : order.paidAt === null
          ? 'This order was cancelled before it was paid.'
          : 'This order is cancelled. Reinstate it before you ship it.'}
    </Row>
  )
}

/** The shop moves stock for an order once, so a second parcel is not counted by itself. */
const PARCEL_LOST =
  'Parcel lost? Send another and enter its tracking number here. We e-mail it to the customer.'

const STAYS_DELIVERED =
  'The order stays delivered, and the customer gets no e-mail. To send the parcel again, choose Shipped in the list of orders.'

function ShippingForm({ order }: { order: StaffOrder }) {
  const isCorrection = order.status === 'delivered'
  const shipping = useShipping(order, { isCorrection })
  // Packers may neither adjust the stock nor refund.
  const afterLoss = useIsPacker()
    ? 'Ask an admin to record the lures of the second parcel as “Damaged or lost”, or to refund the order instead.'
    : 'Then record the lures of the second parcel as “Damaged or lost” in the stock. To pay it back instead, refund the order under Payment record.'

  return (
    <>
      <ShippingFields shipping={shipping} />
      <Button
        look="solid"
        isWide
        disabled={!shipping.shipment || shipping.isBusy}
        onClick={() => shipping.ship()}
      >
        {isCorrection ? 'Update Tracking' : 'Update Tracking & Ship Order'}
      </Button>
      <Row as="p" gap={2} tone="muted" size="s">
        {isCorrection
          ? STAYS_DELIVERED
          : order.status === 'shipped'
            ? `${PARCEL_LOST} ${afterLoss}`
            : 'This marks the order as shipped and e-mails the customer.'}
      </Row>
    </>
  )
}
