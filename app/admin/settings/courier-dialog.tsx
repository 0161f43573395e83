import { useState } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { trackingUrlError } from '#domain/tracking.ts'
import { ConflictMessage } from '../form/conflict-message.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
import styles from '../form/form-dialog.module.css'
import { TrackingAddressField, useChangeCourier, type Courier } from '../orders/orders.ts'

/** Edits a courier. Tracking links in e-mails that were already sent do not change. */
export function CourierDialog({ courier, onClose }: { courier: Courier; onClose: () => void }) {
  const change = useChangeCourier()
  const [seen, setSeen] = useState(courier)
  const [draft, setDraft] = useState(() => draftOf(courier))
  const [isChecked, setIsChecked] = useState(false)
  const nameProblem = draft.name.trim() === '' ? 'Enter a name' : null
  const values = {
    name: draft.name.trim(),
    contact_person: draft.person.trim() || null,
    contact_phone: draft.phone.trim() || null,
    tracking_url: draft.url.trim() || null,
  }

  const saveOver = (version: Courier) => change.mutate({ seen: version, values }, { onSuccess: onClose })
  const save = () => {
    setIsChecked(true)
    if (!nameProblem && !trackingUrlError(draft.url.trim())) saveOver(seen)
  }
  const take = (now: Courier) => {
    setSeen(now)
    setDraft(draftOf(now))
    change.reset()
  }

  return (
    <DialogForm title={`Edit ${courier.name}`} isBusy={change.isPending} onSubmit={save} onClose={onClose}>
      <ConflictMessage
        error={change.error}
        mine={values}
        onTake={(now) => take({ ...seen, ...now })}
        onKeep={(now) => saveOver({ ...seen, ...now })}
      />
      <TextField
        label="Courier Name"
        value={draft.name}
        error={isChecked ? nameProblem : null}
        maxLength={100}
        onValue={(value) => setDraft({ ...draft, name: value })}
      />
      <div className={styles.pair}>
        <TextField
          label="Contact Person"
          isOptional
          value={draft.person}
          maxLength={100}
          onValue={(value) => setDraft({ ...draft, person: value })}
        />
        <TextField
          label="Contact Phone"
          isOptional
          type="tel"
          value={draft.phone}
          maxLength={40}
          onValue={(value) => setDraft({ ...draft, phone: value })}
        />
      </div>
      <TrackingAddressField value={draft.url} onType={(url) => setDraft({ ...draft, url })} />
    </DialogForm>
  )
}

function draftOf({ name, contact_person, contact_phone, tracking_url }: Courier) {
  return { name, person: contact_person ?? '', phone: contact_phone ?? '', url: tracking_url ?? '' }
}
