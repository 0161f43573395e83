import { useState, type FormEvent } from 'react'
import { TextField } from '#app/ui/field.tsx'
import { trackingProblem } from '#domain/tracking.ts'
import { ConflictMessage } from '../list/conflict-message.tsx'
import { FormActions } from '../list/form-actions.tsx'
import { FormDialog } from '../list/form-dialog.tsx'
import styles from '../list/form-dialog.module.css'
import { useChangeCourier } from '../orders/order-changes.ts'
import type { Courier } from '../orders/order.ts'
import { TrackingAddressField } from '../orders/tracking-address-field.tsx'

/** Name, contact and tracking URL; links in mails that went out stay as they were sent. */
export function CourierDialog({ courier, onClose }: { courier: Courier; onClose: () => void }) {
  const change = useChangeCourier()
  const [seen, setSeen] = useState(courier)
  const [typed, setTyped] = useState(() => typedOf(courier))
  const [isChecked, setIsChecked] = useState(false)
  const nameProblem = typed.name.trim() === '' ? 'Enter a name' : null
  const values = {
    name: typed.name.trim(),
    contact_person: typed.person.trim() || null,
    contact_phone: typed.phone.trim() || null,
    tracking_url: typed.url.trim() || null,
  }

  const saveOver = (version: Courier) => change.mutate({ seen: version, values }, { onSuccess: onClose })
  const save = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (!nameProblem && !trackingProblem(typed.url.trim())) saveOver(seen)
  }
  const take = (now: Courier) => {
    setSeen(now)
    setTyped(typedOf(now))
    change.reset()
  }

  return (
    <FormDialog title={`Edit ${courier.name}`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={save} noValidate>
        <ConflictMessage
          error={change.error}
          mine={values}
          onTake={(now) => take({ ...seen, ...now })}
          onKeep={(now) => saveOver({ ...seen, ...now })}
        />
        <TextField
          label="Courier Name"
          value={typed.name}
          error={isChecked ? nameProblem : null}
          maxLength={100}
          onChange={(event) => setTyped({ ...typed, name: event.target.value })}
        />
        <div className={styles.pair}>
          <TextField
            label="Contact Person"
            isOptional
            value={typed.person}
            maxLength={100}
            onChange={(event) => setTyped({ ...typed, person: event.target.value })}
          />
          <TextField
            label="Contact Phone"
            isOptional
            type="tel"
            value={typed.phone}
            maxLength={40}
            onChange={(event) => setTyped({ ...typed, phone: event.target.value })}
          />
        </div>
        <TrackingAddressField value={typed.url} onType={(url) => setTyped({ ...typed, url })} />
        <FormActions isBusy={change.isPending} onCancel={onClose} />
      </form>
    </FormDialog>
  )
}

function typedOf({ name, contact_person, contact_phone, tracking_url }: Courier) {
  return { name, person: contact_person ?? '', phone: contact_phone ?? '', url: tracking_url ?? '' }
}
