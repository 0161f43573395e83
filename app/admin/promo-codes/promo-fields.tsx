import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { DateTimeField } from '../form/date-time-field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { LabelledSwitch } from '#app/ui/switch.tsx'
import styles from '../form/form-dialog.module.css'
import promoStyles from './promo-dialog.module.css'
import { MAX_LENGTH, type PromoDraft } from './promo-form.ts'
import { fieldsOf } from '../form/fields-of.ts'

/** The database's limit. */
const MAX_RAND = '1000000'

const AMOUNT = { type: 'number', inputMode: 'decimal', min: '0', step: '0.01' } as const
const UNLIMITED = {
  isOptional: true,
  placeholder: 'Unlimited',
  type: 'number',
  inputMode: 'numeric',
  min: '1',
  max: '1000000000',
  step: '1',
} as const
const SWITCHES = [
  ['is_active', 'Active'],
  ['free_shipping', 'Free Shipping'],
  ['first_order_only', 'First Order Only'],
] as const

interface FieldsProps {
  draft: PromoDraft
  /** Shown under the expiry date. */
  dateError: string | null
  /** The last save failed because another code has this name. */
  isTaken: boolean
  onChange: (draft: PromoDraft) => void
}

/** The fields of a promo code, for the create and edit dialogs. */
export function PromoFields({ draft, dateError, isTaken, onChange }: FieldsProps) {
  const field = fieldsOf(draft, onChange)
  const isPercentage = draft.discount_type === 'percentage'
  return (
    <>
      <TextField
        label="Code"
        required
        maxLength={MAX_LENGTH}
        pattern="\s*[A-Za-z0-9][A-Za-z0-9_\-]*\s*"
        title="Letters, digits, - and _"
        autoCapitalize="characters"
        autoComplete="off"
        error={isTaken ? 'A promo code with this name already exists. O and 0 count as the same.' : null}
        value={draft.code}
        onValue={(value) => onChange({ ...draft, code: value.toUpperCase() })}
      />
      <div className={styles.pair}>
        <SelectField label="Discount Type" {...field('discount_type')}>
          <option value="percentage">Percentage</option>
          <option value="fixed">Fixed Amount</option>
        </SelectField>
        <TextField
          label={`Discount Value (${isPercentage ? '%' : 'R'})`}
          required
          max={isPercentage ? '100' : MAX_RAND}
          {...AMOUNT}
          {...field('discount_value')}
        />
      </div>
      <TextField label="Minimum Order Amount (R)" max={MAX_RAND} {...AMOUNT} {...field('min_order_amount')} />
      <div className={styles.pair}>
        <TextField label="Usage Limit" {...UNLIMITED} {...field('usage_limit')} />
        <TextField label="Limit per Customer" {...UNLIMITED} {...field('per_customer_limit')} />
      </div>
      <div className={styles.pair}>
        <DateTimeField label="Start Date" isOptional {...field('starts_at')} />
        <DateTimeField label="Expiry Date" isOptional error={dateError} {...field('expires_at')} />
      </div>
      <Row gap={2} columnGap={5} align="stretch" wrap className={promoStyles.switches}>
        {SWITCHES.map(([name, label]) => (
          <LabelledSwitch
            key={name}
            label={label}
            isOn={draft[name]}
            onSwitch={(isOn) => onChange({ ...draft, [name]: isOn })}
          />
        ))}
      </Row>
    </>
  )
}
