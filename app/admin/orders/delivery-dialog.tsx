import { useState } from 'react'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import type { Delivery, StaffOrder } from '#domain/order.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { parseDeliveryError, useChangeDelivery } from './delivery.ts'
import { AddressFields } from './address-fields.tsx'
import { fieldsOf } from '../form/fields-of.ts'
import { ConflictPanel } from '../form/conflict-message.tsx'

const COLUMNS = {
  locker_location: 'locker_location',
  address: 'shipping_address',
  city: 'shipping_city',
  zip_code: 'shipping_zip',
  state: 'shipping_state',
} as const

/** Edits name, phone and address until the parcel ships. */
export function DeliveryDialog({ order, onClose }: { order: StaffOrder; onClose: () => void }) {
  const change = useChangeDelivery(order.id, onClose)
  // The version that the form started from. The database refuses to overwrite a newer one.
  const [was, setWas] = useState(order.delivery)
  const [delivery, setDelivery] = useState(was)
  const { problems, theirs } = parseDeliveryError(change.error)

  const save = () => {
    if (JSON.stringify(delivery) === JSON.stringify(was)) onClose()
    else change.mutate({ was, delivery })
  }
  const fieldOf = fieldsOf(delivery, setDelivery)
  const takeTheirs = (now: Delivery) => {
    setWas(now)
    setDelivery(now)
    change.reset()
  }
  const keepMine = (now: Delivery) => {
    setWas(now)
    change.mutate({ was: now, delivery })
  }

  return (
    <DialogForm
      title={order.isHandOver ? 'Change name or phone' : 'Change address'}
      isBusy={change.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      {theirs && (
        <ConflictPanel
          text={`It now says: ${Object.values(theirs).filter(Boolean).join(', ')}`}
          onTake={() => takeTheirs(theirs)}
          onKeep={() => keepMine(theirs)}
        />
      )}
      <TextField label="Full Name" error={problems.full_name} {...fieldOf('customer_name')} />
      <TextField label="Phone" error={problems.phone} {...fieldOf('customer_phone')} />
      {!order.isHandOver && (
        <>
          <SelectField label="Delivery" {...fieldOf('shipping_method')}>
            <option value="locker">Locker</option>
            <option value="door-to-door">Door to door</option>
          </SelectField>
          <AddressFields
            isLocker={delivery.shipping_method === 'locker'}
            lockerLabel="Locker Location"
            fieldOf={(part) => ({ ...fieldOf(COLUMNS[part]), error: problems[part] })}
          />
        </>
      )}
    </DialogForm>
  )
}
