import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { Panel, Row } from '#app/ui/layout.tsx'
import { PROVINCES } from '#domain/south-africa.ts'
import type { Delivery, StaffOrder } from '#domain/order.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import styles from '../form/form-dialog.module.css'
import { parseDeliveryError, useChangeDelivery } from './delivery.ts'

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
  const set = (name: keyof Delivery, value: string) => setDelivery({ ...delivery, [name]: value })
  const field = (name: keyof Delivery, label: string, problem?: string) => (
    <TextField
      label={label}
      value={delivery[name] ?? ''}
      error={problem}
      onValue={(value) => set(name, value)}
    />
  )
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
        <DeliveryConflict now={theirs} onTake={() => takeTheirs(theirs)} onKeep={() => keepMine(theirs)} />
      )}
      {field('customer_name', 'Full Name', problems.full_name)}
      {field('customer_phone', 'Phone', problems.phone)}
      {!order.isHandOver && (
        <>
          <SelectField
            label="Delivery"
            value={delivery.shipping_method}
            onValue={(value) => set('shipping_method', value)}
          >
            <option value="locker">Locker</option>
            <option value="door-to-door">Door to door</option>
          </SelectField>
          {delivery.shipping_method === 'locker' &&
            field('locker_location', 'Locker Location', problems.locker_location)}
          {field('shipping_address', 'Street Address', problems.address)}
          <div className={styles.pair}>
            {field('shipping_city', 'City', problems.city)}
            {field('shipping_zip', 'Postal Code', problems.zip_code)}
          </div>
          <SelectField
            label="State/Province"
            value={delivery.shipping_state ?? ''}
            error={problems.state}
            onValue={(value) => set('shipping_state', value)}
          >
            {[...new Set([delivery.shipping_state ?? '', ...PROVINCES])].map((province) => (
              <option key={province}>{province}</option>
            ))}
          </SelectField>
        </>
      )}
    </DialogForm>
  )
}

interface ConflictProps {
  now: Delivery
  onTake: () => void
  onKeep: () => void
}

function DeliveryConflict({ now, onTake, onKeep }: ConflictProps) {
  return (
    <Panel kind="warning" gap={3} size="s" className={styles.conflict} role="alert">
      <p>
        <strong>Changed in the meantime.</strong> It now says: {Object.values(now).filter(Boolean).join(', ')}
      </p>
      <Row gap={2} align="stretch" wrap>
        <Button onClick={onTake}>Use theirs</Button>
        <Button onClick={onKeep}>Keep mine</Button>
      </Row>
    </Panel>
  )
}
