import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { trackingUrlError } from '#domain/tracking.ts'
import styles from './new-courier-form.module.css'
import { useAddCourier, type Courier } from './couriers.ts'
import { TrackingAddressField } from './tracking-address-field.tsx'

interface Props {
  onAdded: (courier: Courier) => void
  onCancel: () => void
}

/** A fieldset with a plain button, because it renders inside another form. */
export function NewCourierForm({ onAdded, onCancel }: Props) {
  const addCourier = useAddCourier()
  const [name, setName] = useState('')
  const [person, setPerson] = useState('')
  const [phone, setPhone] = useState('')
  const [trackingUrl, setTrackingUrl] = useState('')
  const isReady = name.trim() !== '' && trackingUrlError(trackingUrl.trim()) === null

  const add = () => {
    const courier = {
      name: name.trim(),
      contact_person: person.trim() || null,
      contact_phone: phone.trim() || null,
      tracking_url: trackingUrl.trim() || null,
    }
    addCourier.mutate(courier, { onSuccess: onAdded })
  }

  return (
    <Stack as="fieldset" gap={3} className={styles.group}>
      <legend>New courier</legend>
      <TextField label="Courier Name" value={name} maxLength={100} onValue={setName} />
      <TextField label="Contact Person" value={person} maxLength={100} onValue={setPerson} />
      <TextField label="Contact Phone" type="tel" value={phone} maxLength={40} onValue={setPhone} />
      <TrackingAddressField value={trackingUrl} onType={setTrackingUrl} />
      <Row gap={2} align="stretch" justify="end">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button disabled={!isReady || addCourier.isPending} onClick={add}>
          Add Courier
        </Button>
      </Row>
    </Stack>
  )
}
