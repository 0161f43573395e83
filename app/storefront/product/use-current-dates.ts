import { useEffect, useState } from 'react'
import type { DeliveryDates } from '#domain/delivery-promise.ts'
import { todayInSouthAfrica } from '#domain/today.ts'

/** The page's dates, or today's where the page was kept overnight: only then is the calendar fetched. */
export function useCurrentDates(asMade: DeliveryDates): DeliveryDates {
  const [current, setCurrent] = useState(asMade)

  useEffect(() => {
    const now = new Date()
    if (todayInSouthAfrica(now) === asMade.countedFrom) return
    import('#domain/delivery-promise.ts').then(
      ({ deliveryDates }) => setCurrent(deliveryDates(now)),
      // Yesterday's promise is a day too early at most, and the checkout counts again.
      (error: unknown) => console.error('the delivery dates were not counted again', error),
    )
  }, [asMade])

  return current
}
