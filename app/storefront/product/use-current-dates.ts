import { useEffect, useState } from 'react'
import type { DeliveryDates } from '#domain/delivery-promise.ts'
import { todayInSouthAfrica } from '#domain/today.ts'

/** Returns the page's dates, or today's if the page is from another day; only then loads the calendar. */
export function useCurrentDates(rendered: DeliveryDates): DeliveryDates {
  const [current, setCurrent] = useState(rendered)

  useEffect(() => {
    const now = new Date()
    if (todayInSouthAfrica(now) === rendered.countedFrom) return
    import('#domain/delivery-promise.ts').then(
      ({ deliveryDates }) => setCurrent(deliveryDates(now)),
      // The rendered dates are a day early at most, and the checkout computes them again.
      (error: unknown) => console.error('the delivery dates were not updated', error),
    )
  }, [rendered])

  return current
}
