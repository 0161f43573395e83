import { useState } from 'react'
import type { StaffOrder } from '#domain/order.ts'
import { useCouriers, useGuessedCourier } from './couriers.ts'
import { useShipOrder } from './order-changes.ts'

interface Options {
  /** Changes the parcel only: the order keeps its status and the customer gets no e-mail. */
  isCorrection?: boolean
  onShipped?: () => void
}

/** The state of the shipping form, and the mutation that ships the order. */
export function useShipping(order: StaffOrder, { isCorrection = false, onShipped }: Options = {}) {
  const couriers = useCouriers()
  const shipOrder = useShipOrder(order, { isCorrection })
  const [chosenId, setCourierId] = useState(order.courierId ?? '')
  const [trackingNumber, setTrackingNumber] = useState(order.trackingNumber ?? '')
  const tracking = trackingNumber.trim()
  const guessedId = useGuessedCourier(chosenId === '' ? tracking : '')
  const courierId = chosenId || (guessedId ?? '')
  const courier = couriers.data?.find(({ id }) => id === courierId)

  return {
    couriers,
    courierId,
    setCourierId,
    isGuessed: chosenId === '' && courier !== undefined,
    trackingNumber,
    setTrackingNumber,
    shipment: courier && tracking !== '' ? { orderId: order.id, trackingNumber: tracking, courierId } : null,
    isCorrection,
    isBusy: shipOrder.isPending,
    ship: () => {
      if (!courier || tracking === '') return
      shipOrder.mutate({ trackingNumber: tracking, courierId }, { onSuccess: onShipped })
    },
  }
}

export type Shipping = ReturnType<typeof useShipping>
