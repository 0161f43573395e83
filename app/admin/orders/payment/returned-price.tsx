import { Button } from '#app/ui/button.tsx'
import { Row, Text } from '#app/ui/layout.tsx'
import { formatTotal } from '#domain/money.ts'
import { useReturnableItems, type ReturnableItem } from './payment-record-query.ts'
import type { ReturnQuantities } from './return-fields.tsx'

interface Props {
  orderId: string
  returns: ReturnQuantities
  /** Receives the price in cents. */
  onUse: (cents: number) => void
}

/** What the customer paid for the chosen lures, and a button that refunds it. Whether shipping goes back too is for staff to decide. */
export function ReturnedPrice({ orderId, returns, onUse }: Props) {
  const items = useReturnableItems(orderId)
  // oxlint-disable-next-line queries/failure-shown -- the fields above say that the lures could not be loaded
  const price = priceOfReturns(items.data ?? [], returns)
  if (price.paidCents === 0) return null

  return (
    <Row gap={2} columnGap={4} justify="between" wrap>
      <Text size="s">{returnedPriceText(price)}</Text>
      <Button onClick={() => onUse(price.paidCents)}>Use this amount</Button>
    </Row>
  )
}

interface ReturnsPrice {
  /** After the discount. */
  paidCents: number
  isDiscounted: boolean
}

type PricedItem = Pick<ReturnableItem, 'order_item_id' | 'price' | 'paid_price'>

/** Rounds once, so that a third of a discount is not lost with each unit. */
export function priceOfReturns(items: readonly PricedItem[], returns: ReturnQuantities): ReturnsPrice {
  const chosen = items.map((item) => ({ ...item, quantity: returns[item.order_item_id] ?? 0 }))
  return {
    paidCents: Math.round(100 * chosen.reduce((sum, item) => sum + item.quantity * item.paid_price, 0)),
    isDiscounted: chosen.some((item) => item.quantity > 0 && item.paid_price < item.price),
  }
}

export function returnedPriceText({ paidCents, isDiscounted }: ReturnsPrice): string {
  const price = `These cost ${formatTotal(paidCents)}${isDiscounted ? ' after the discount' : ''}`
  return `${price}. Shipping is not included.`
}
