import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Panel, Row } from '#app/ui/layout.tsx'
import { trackingUrlError } from '#domain/tracking.ts'
import { fieldsOf } from '../form/fields-of.ts'
import formStyles from '../form/form-dialog.module.css'
import styles from './courier-fields.module.css'
import { useAddCourier, type Courier, type CourierInput } from './couriers.ts'

export const NEW_COURIER = { name: '', contact_person: '', contact_phone: '', tracking_url: '' }

const text = (typed: string | null) => typed?.trim() || null

/** What was typed, as the columns of the row. */
export function courierValues(draft: CourierInput): CourierInput {
  return {
    name: draft.name.trim(),
    contact_person: text(draft.contact_person),
    contact_phone: text(draft.contact_phone),
    tracking_url: text(draft.tracking_url),
  }
}

export function isCourierComplete({ name, tracking_url }: CourierInput): boolean {
  return name.trim() !== '' && trackingUrlError(tracking_url?.trim() ?? '') === null
}

interface Props {
  courier: CourierInput
  nameError?: string | null
  marksOptional?: boolean
  onChange: (courier: CourierInput) => void
}

/** Mails, the order and the customer's account link to the courier's tracking page. */
export function CourierFields({ courier, nameError, marksOptional, onChange }: Props) {
  const field = fieldsOf(courier, onChange)
  return (
    <>
      <TextField label="Courier Name" error={nameError} maxLength={100} {...field('name')} />
      <div className={formStyles.pair}>
        <TextField
          label="Contact Person"
          isOptional={marksOptional}
          maxLength={100}
          {...field('contact_person')}
        />
        <TextField
          label="Contact Phone"
          isOptional={marksOptional}
          type="tel"
          maxLength={40}
          {...field('contact_phone')}
        />
      </div>
      <TextField
        label="Tracking URL"
        isOptional
        type="url"
        inputMode="url"
        hint="With {number} where the tracking number goes: https://courier.example/track?ref={number}"
        error={trackingUrlError(courier.tracking_url?.trim() ?? '')}
        maxLength={2048}
        autoComplete="off"
        spellCheck={false}
        {...field('tracking_url')}
      />
    </>
  )
}

interface NewCourierProps {
  onAdded: (courier: Courier) => void
  onCancel: () => void
}

/** A fieldset with a plain button, because it renders inside another form. */
export function NewCourierForm({ onAdded, onCancel }: NewCourierProps) {
  const addCourier = useAddCourier()
  const [courier, setCourier] = useState<CourierInput>(NEW_COURIER)

  return (
    <Panel as="fieldset" padding="m" gap={3} className={styles.group}>
      <legend>New courier</legend>
      <CourierFields courier={courier} onChange={setCourier} />
      <Row gap={2} align="stretch" justify="end">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          disabled={!isCourierComplete(courier) || addCourier.isPending}
          onClick={() => addCourier.mutate(courierValues(courier), { onSuccess: onAdded })}
        >
          Add Courier
        </Button>
      </Row>
    </Panel>
  )
}
