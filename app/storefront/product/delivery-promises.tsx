import { RotateCcw, Truck } from 'lucide-react'
import { Link } from 'react-router'
import { Grid, Stack } from '#app/ui/layout.tsx'
import type { Stock } from '#domain/catalogue.ts'
import type { DeliveryDates } from '#domain/delivery-promise.ts'
import { shop } from '#shop'
import { shippingTexts, useShippingTerms } from '../catalogue/shipping-terms.ts'
import { useEffect, useState } from 'react'
import { useToday } from '#app/ui/use-today.ts'

interface DeliveryPromisesProps {
  /** Computed when the page was rendered. */
  dates: DeliveryDates
  /** Of the chosen colour, or of the product. */
  stock: Stock['state']
}

/** Delivery dates, shipping costs and returns. */
export function DeliveryPromises({ dates, stock }: DeliveryPromisesProps) {
  const { onShelf, madeToOrder } = useCurrentDates(dates)
  const { flatRate, freeFrom, offersLocker } = shippingTexts(useShippingTerms())
  const isMadeToOrder = stock === 'made-to-order'
  const { coolingOffDays, policyDays } = shop.returns
  return (
    <Stack as="ul" divided="around" gap={3} block={4} size="s">
      <Grid as="li" columns="24px 1fr" gap={3}>
        <Truck size={22} aria-hidden />
        <p>
          {stock !== 'sold-out' && stock !== 'announced' && (
            <>
              <strong>With you {isMadeToOrder ? madeToOrder : onShelf}</strong> if you order today
              {isMadeToOrder && ', including the time to make it'}.{' '}
            </>
          )}
          {flatRate} to {offersLocker && 'a locker or '}your door, free on orders from {freeFrom}.
        </p>
      </Grid>
      <Grid as="li" columns="24px 1fr" gap={3}>
        <RotateCcw size={22} aria-hidden />
        <p>
          <strong>{coolingOffDays} days to change your mind,</strong> {policyDays} to send it back unused.{' '}
          <Link to="/shipping-returns">Shipping &amp; Returns</Link>
        </p>
      </Grid>
    </Stack>
  )
}

/** Returns the page's dates, or today's if the page is from another day; only then loads the calendar. */
function useCurrentDates(rendered: DeliveryDates): DeliveryDates {
  const today = useToday()
  const [current, setCurrent] = useState(rendered)

  useEffect(() => {
    if (today === current.countedFrom) return
    import('#domain/delivery-promise.ts').then(
      ({ deliveryDates }) => setCurrent(deliveryDates(today)),
      // The rendered dates are a day early at most, and the checkout computes them again.
      (error: unknown) => console.error('the delivery dates were not updated', error),
    )
  }, [today, current])

  return current
}
