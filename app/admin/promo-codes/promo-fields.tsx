import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { Switch } from '#app/ui/switch.tsx'
import styles from '../form/form-dialog.module.css'
import promoStyles from './promo-dialog.module.css'
import { MAX_LENGTH, type PromoDraft } from './promo-form.ts'

/** The database's limit. */
const MAX_RAND = '1000000'

interface FieldsProps {
  draft: PromoDraft
  /** Shown under the expiry date. */
  dateError: string | null
  /** The last save failed because another code has this name. */
  isTaken: boolean
  change: (change: Partial<PromoDraft>) => void
}

/** The fields of a promo code, for the create and edit dialogs. */
export function PromoFields(props: FieldsProps) {
  const { draft, isTaken, change } = props
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
        onValue={(value) => change({ code: value.toUpperCase() })}
      />
      <DiscountFields {...props} />
      <LimitFields {...props} />
      <DateFields {...props} />
      <Switches {...props} />
    </>
  )
}

function DiscountFields({ draft, change }: FieldsProps) {
  const isPercentage = draft.discount_type === 'percentage'
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          label="Discount Type"
          value={draft.discount_type}
          onValue={(value) => change({ discount_type: value === 'fixed' ? 'fixed' : 'percentage' })}
        >
          <option value="percentage">Percentage</option>
          <option value="fixed">Fixed Amount</option>
        </SelectField>
        <TextField
          label={`Discount Value (${isPercentage ? '%' : 'R'})`}
          type="number"
          inputMode="decimal"
          required
          min="0"
          max={isPercentage ? '100' : MAX_RAND}
          step="0.01"
          value={draft.discount_value}
          onValue={(value) => change({ discount_value: value })}
        />
      </div>
      <TextField
        label="Minimum Order Amount (R)"
        type="number"
        inputMode="decimal"
        min="0"
        max={MAX_RAND}
        step="0.01"
        value={draft.min_order_amount}
        onValue={(value) => change({ min_order_amount: value })}
      />
    </>
  )
}

const UNLIMITED = {
  isOptional: true,
  placeholder: 'Unlimited',
  type: 'number',
  inputMode: 'numeric',
  min: '1',
  max: '1000000000',
  step: '1',
} as const

function LimitFields({ draft, change }: FieldsProps) {
  return (
    <div className={styles.pair}>
      <TextField
        label="Usage Limit"
        {...UNLIMITED}
        value={draft.usage_limit}
        onValue={(value) => change({ usage_limit: value })}
      />
      <TextField
        label="Limit per Customer"
        {...UNLIMITED}
        value={draft.per_customer_limit}
        onValue={(value) => change({ per_customer_limit: value })}
      />
    </div>
  )
}

function DateFields({ draft, dateError, change }: FieldsProps) {
  return (
    <div className={styles.pair}>
      <TextField
        label="Start Date"
        isOptional
        type="datetime-local"
        value={draft.starts_at}
        onValue={(value) => change({ starts_at: value })}
      />
      <TextField
        label="Expiry Date"
        isOptional
        type="datetime-local"
        value={draft.expires_at}
        error={dateError}
        onValue={(value) => change({ expires_at: value })}
      />
    </div>
  )
}

function Switches({ draft, change }: FieldsProps) {
  return (
    <Row gap={2} columnGap={5} align="stretch" wrap className={promoStyles.switches}>
      <span>
        <Switch label="Active" isOn={draft.is_active} onSwitch={(is_active) => change({ is_active })} />{' '}
        Active
      </span>
      <span>
        <Switch
          label="Free Shipping"
          isOn={draft.free_shipping}
          onSwitch={(free_shipping) => change({ free_shipping })}
        />{' '}
        Free Shipping
      </span>
      <span>
        <Switch
          label="First Order Only"
          isOn={draft.first_order_only}
          onSwitch={(first_order_only) => change({ first_order_only })}
        />{' '}
        First Order Only
      </span>
    </Row>
  )
}
