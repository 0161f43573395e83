import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { Hint, Stack } from '#app/ui/layout.tsx'
import { HAND_OVER } from '#domain/shipping-method.ts'
import formStyles from '../../form/form-dialog.module.css'
import styles from './manual-order.module.css'
import type { ManualOrderDelivery } from './manual-order.ts'
import { AddressFields } from '../address-fields.tsx'
import { fieldsOf } from '../../form/fields-of.ts'

interface Props {
  delivery: ManualOrderDelivery
  problems: Record<string, string>
  onChange: (delivery: ManualOrderDelivery) => void
}

export function ManualOrderDeliveryFields({ delivery, problems, onChange }: Props) {
  const fieldOf = (name: keyof ManualOrderDelivery) => ({
    ...fieldsOf(delivery, onChange)(name),
    error: problems[name],
  })

  return (
    <Stack as="fieldset" gap={4} className={styles.group}>
      <legend>Customer and delivery</legend>
      <TextField label="Full Name" autoComplete="off" {...fieldOf('full_name')} />
      <div className={formStyles.pair}>
        <TextField label="E-mail" type="email" autoComplete="off" {...fieldOf('email')} />
        <TextField label="Phone" type="tel" autoComplete="off" {...fieldOf('phone')} />
      </div>
      <SelectField label="Delivery" {...fieldOf('shipping_method')}>
        <option value="locker">Locker</option>
        <option value="door-to-door">Door to door</option>
        <option value={HAND_OVER}>Handed over in person</option>
      </SelectField>
      {delivery.shipping_method === HAND_OVER ? (
        <Hint>No address needed, and no shipping fee.</Hint>
      ) : (
        <AddressFields
          isLocker={delivery.shipping_method === 'locker'}
          lockerLabel="Nearest Locker Location"
          noProvince="Choose a province"
          fieldOf={fieldOf}
        />
      )}
      <TextArea label="Notes" isOptional rows={2} maxLength={500} {...fieldOf('notes')} />
    </Stack>
  )
}
