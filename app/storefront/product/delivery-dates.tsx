import { useEffect, useState } from 'react'
import { deliveryWindow, todayAt, windowText } from '#domain/delivery-promise.ts'

interface DeliveryDatesProps {
  /** The day on which the page was made, so that server and browser begin with the same words. */
  today: string
  isMadeToOrder: boolean
}

/** `Tue 12 – Thu 14 May`, counted from the day it is read on: the page may have been kept overnight. */
export function DeliveryDates({ today, isMadeToOrder }: DeliveryDatesProps) {
  const [day, setDay] = useState(today)
  useEffect(() => {
    // The clock cannot be read while rendering: the server renders too.
    // oxlint-disable-next-line react/set-state-in-effect
    setDay(todayAt(new Date()))
  }, [])
  return <span>{windowText(deliveryWindow(day, { isMadeToOrder }))}</span>
}
