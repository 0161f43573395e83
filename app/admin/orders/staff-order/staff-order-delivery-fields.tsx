import { SelectField, TextArea, TextField } from '#app/ui/form/field.tsx'
import { Hint, Stack } from '#app/ui/layout.tsx'
import { HAND_OVER } from '#domain/shipping-method.ts'
import { PROVINCES } from '#domain/south-africa.ts'
import formStyles from '../../form/form-dialog.module.css'
import styles from './staff-order.module.css'
import type { StaffOrderDelivery } from './staff-order.ts'

interface Props {
  delivery: StaffOrderDelivery
  problems: Record<string, string>
  onChange: (delivery: StaffOrderDelivery) => void
}

export function StaffOrderDeliveryFields({ delivery, problems, onChange }: Props) {
  const field = (name: keyof StaffOrderDelivery, label: string, input: { type?: string } = {}) => (
    <TextField
      label={label}
      value={delivery[name]}
      error={problems[name]}
      autoComplete="off"
      onValue={(value) => onChange({ ...delivery, [name]: value })}
      {...input}
    />
  )

  return (
    <Stack as="fieldset" gap={4} className={styles.group}>
      <legend>Customer and delivery</legend>
      {field('full_name', 'Full Name')}
      <div className={formStyles.pair}>
        {field('email', 'E-mail', { type: 'email' })}
        {field('phone', 'Phone', { type: 'tel' })}
      </div>
      <SelectField
        label="Delivery"
        value={delivery.shipping_method}
        onValue={(value) => onChange({ ...delivery, shipping_method: value })}
      >
        <option value="locker">Locker</option>
        <option value="door-to-door">Door to door</option>
        <option value={HAND_OVER}>Handed over in person</option>
      </SelectField>
      {delivery.shipping_method === HAND_OVER ? (
        <Hint>No address needed, and no shipping fee.</Hint>
      ) : (
        <>
          {delivery.shipping_method === 'locker' && field('locker_location', 'Nearest Locker Location')}
          {field('address', 'Street Address')}
          <div className={formStyles.pair}>
            {field('city', 'City')}
            {field('zip_code', 'Postal Code')}
          </div>
          <SelectField
            label="State/Province"
            value={delivery.state}
            error={problems.state}
            onValue={(value) => onChange({ ...delivery, state: value })}
          >
            {['', ...PROVINCES].map((province) => (
              <option key={province} value={province}>
                {province || 'Choose a province'}
              </option>
            ))}
          </SelectField>
        </>
      )}
      <TextArea
        label="Notes"
        isOptional
        rows={2}
        value={delivery.notes}
        maxLength={500}
        onValue={(value) => onChange({ ...delivery, notes: value })}
      />
    </Stack>
  )
}
