import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { Panel, Row } from '#app/ui/layout.tsx'
import { isHandOver } from '#domain/shipping-method.ts'
import { PROVINCES } from '#domain/south-africa.ts'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import { deliveryOf, parseDeliveryError, useChangeDelivery, type Delivery } from './delivery.ts'
import type { Order } from './order.ts'

/** Edits name, phone and address until the parcel ships. */
export function DeliveryDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const change = useChangeDelivery(order.id)
  // The version that the form started from. The database refuses to overwrite a newer one.
  const [was, setWas] = useState(() => deliveryOf(order))
  const [delivery, setDelivery] = useState(was)
  const { problems, theirs } = parseDeliveryError(change.error)

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (JSON.stringify(delivery) === JSON.stringify(was)) onClose()
    else change.mutate({ was, delivery }, { onSuccess: onClose })
  }
  const field = (name: keyof Delivery, label: string, problem?: string) => (
    <TextField
      label={label}
      value={delivery[name] ?? ''}
      error={problem}
      onChange={(event) => setDelivery({ ...delivery, [name]: event.target.value })}
    />
  )
  const takeTheirs = (now: Delivery) => {
    setWas(now)
    setDelivery(now)
    change.reset()
  }
  const keepMine = (now: Delivery) => {
    setWas(now)
    change.mutate({ was: now, delivery }, { onSuccess: onClose })
  }

  return (
    <FormDialog
      title={isHandOver(order) ? 'Change name or phone' : 'Change address'}
      isOpen
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={save} noValidate>
        {theirs && (
          <DeliveryConflict now={theirs} onTake={() => takeTheirs(theirs)} onKeep={() => keepMine(theirs)} />
        )}
        {field('customer_name', 'Full Name', problems.full_name)}
        {field('customer_phone', 'Phone', problems.phone)}
        {!isHandOver(order) && (
          <>
            <SelectField
              label="Delivery"
              value={delivery.shipping_method ?? ''}
              onChange={(event) =>
                setDelivery({
                  ...delivery,
                  shipping_method: event.target.value === 'locker' ? 'locker' : 'door-to-door',
                })
              }
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
              onChange={(event) => setDelivery({ ...delivery, shipping_state: event.target.value })}
            >
              {[...new Set([delivery.shipping_state ?? '', ...PROVINCES])].map((province) => (
                <option key={province}>{province}</option>
              ))}
            </SelectField>
          </>
        )}
        <FormActions isBusy={change.isPending} onCancel={onClose} />
      </form>
    </FormDialog>
  )
}

function DeliveryConflict({
  now,
  onTake,
  onKeep,
}: {
  now: Delivery
  onTake: () => void
  onKeep: () => void
}) {
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
