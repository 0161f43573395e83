import { useState } from 'react'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { NewCourierForm } from './new-courier-form.tsx'
import { useShipOrder } from './order-changes.ts'
import { useCouriers, useGuessedCourier } from './order-queries.ts'
import type { Courier, Order } from './order.ts'

const NEW_COURIER = 'new'

/** What has to be known before an order ships, as typed so far, and the shipping of it. */
export function useShipping(order: Order, onShipped?: () => void) {
  const couriers = useCouriers()
  const shipOrder = useShipOrder(order)
  const [chosenId, setCourierId] = useState(order.courier_company_id ?? '')
  const [trackingNumber, setTrackingNumber] = useState(order.tracking_number ?? '')
  const tracking = trackingNumber.trim()
  const guessedId = useGuessedCourier(chosenId === '' ? tracking : '')
  const courierId = chosenId || (guessedId ?? '')
  const courier = couriers.data?.find(({ id }) => id === courierId)

  return {
    couriers: couriers.data ?? [],
    courierId,
    setCourierId,
    isGuessed: chosenId === '' && courier !== undefined,
    trackingNumber,
    setTrackingNumber,
    isComplete: courier !== undefined && tracking !== '',
    isBusy: shipOrder.isPending,
    ship() {
      if (!courier || tracking === '') return
      shipOrder.mutate({ trackingNumber: tracking, courier }, { onSuccess: onShipped })
    },
  }
}

export type Shipping = ReturnType<typeof useShipping>

/** Courier and tracking number; a courier that is missing is added on the spot. */
export function ShippingFields({ shipping }: { shipping: Shipping }) {
  const { couriers, courierId, setCourierId, isGuessed, trackingNumber, setTrackingNumber } = shipping
  const isAdding = courierId === NEW_COURIER

  return (
    <>
      <SelectField
        label="Courier Company"
        hint={isGuessed ? 'Guessed from your earlier waybills; choose another if it is wrong.' : undefined}
        value={courierId}
        onChange={(event) => setCourierId(event.target.value)}
      >
        <option value="">Select courier company</option>
        {couriers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={NEW_COURIER}>+ Create New Courier</option>
      </SelectField>
      {isAdding && (
        <NewCourierForm
          onAdded={(courier: Courier) => setCourierId(courier.id)}
          onCancel={() => setCourierId('')}
        />
      )}
      <TextField
        label="Tracking Number"
        value={trackingNumber}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={(event) => setTrackingNumber(event.target.value)}
      />
    </>
  )
}
