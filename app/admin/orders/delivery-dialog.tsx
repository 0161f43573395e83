import { useState } from 'react'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import type { Delivery, StaffOrder } from '#domain/order.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { canChangeOnlyEmail, parseDeliveryError, useChangeDelivery } from './delivery.ts'
import { AddressFields } from './address-fields.tsx'
import { fieldsOf } from '../form/fields-of.ts'
import { ConflictPanel } from '../form/conflict-message.tsx'
import { useIsPacker } from '../frame/role.ts'

const COLUMNS = {
  locker_location: 'locker_location',
  address: 'shipping_address',
  city: 'shipping_city',
  zip_code: 'shipping_zip',
  state: 'shipping_state',
} as const

function titleOf(order: StaffOrder): string {
  if (canChangeOnlyEmail(order)) return 'Change e-mail'
  return order.isHandOver ? 'Change name or phone' : 'Change address'
}

/** Edits name, phone and address until the parcel ships, and for admins the e-mail address. */
export function DeliveryDialog({ order, onClose }: { order: StaffOrder; onClose: () => void }) {
  const change = useChangeDelivery(order.id)
  // The version that the form started from. The database refuses to overwrite a newer one.
  const [was, setWas] = useState(order.delivery)
  const [delivery, setDelivery] = useState(was)
  const { problems, theirs } = parseDeliveryError(change.error)
  const isOnlyEmail = canChangeOnlyEmail(order)
  const isAdmin = !useIsPacker()

  // Only admins may change the e-mail address.
  const visible = ({ customer_email, ...rest }: Delivery) => (isAdmin ? { customer_email, ...rest } : rest)
  const send = (from: Delivery) =>
    change.mutate({ was: visible(from), delivery: visible(delivery) }, { onSuccess: onClose })
  const save = () => {
    if (JSON.stringify(delivery) === JSON.stringify(was)) onClose()
    else send(was)
  }
  const fieldOf = fieldsOf(delivery, setDelivery)
  const takeTheirs = (now: Delivery) => {
    setWas(now)
    setDelivery(now)
    change.reset()
  }
  const keepMine = (now: Delivery) => {
    setWas(now)
    send(now)
  }

  return (
    <DialogForm title={titleOf(order)} isBusy={change.isPending} onSubmit={save} onClose={onClose}>
      {theirs && (
        <ConflictPanel
          text={`It now says: ${Object.values(theirs).filter(Boolean).join(', ')}`}
          onTake={() => takeTheirs(theirs)}
          onKeep={() => keepMine(theirs)}
        />
      )}
      {!isOnlyEmail && (
        <>
          <TextField label="Full Name" error={problems.full_name} {...fieldOf('customer_name')} />
          <TextField label="Phone" error={problems.phone} {...fieldOf('customer_phone')} />
        </>
      )}
      {isAdmin && (
        <TextField
          label="E-mail"
          type="email"
          autoComplete="off"
          hint="E-mails that are still waiting go to the new address, too."
          error={problems.email}
          {...fieldOf('customer_email')}
        />
      )}
      {!isOnlyEmail && !order.isHandOver && (
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
