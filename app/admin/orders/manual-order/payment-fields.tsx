import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { RadioGroup } from '#app/ui/form/radio-group.tsx'
import { Hint, Stack } from '#app/ui/layout.tsx'
import styles from './manual-order.module.css'
import type { PaidBy } from './manual-order.ts'

export interface PaymentInput {
  paidBy: PaidBy | null
  reference: string
  /** For a paid hand-over: whether the customer already has the lures. */
  isHandedOver: boolean
}

export const INITIAL_PAYMENT: PaymentInput = { paidBy: null, reference: '', isHandedOver: true }

const OPTIONS: { value: PaidBy | null; label: string }[] = [
  { value: 'eft', label: 'Paid by EFT' },
  { value: 'cash', label: 'Paid in cash' },
  { value: null, label: 'Not paid yet' },
]

interface Props {
  payment: PaymentInput
  onChange: (payment: PaymentInput) => void
  /** How long an order that is not paid yet reserves its lures. Leaves out "Not paid yet" when absent. */
  reservedFor?: string
  canBeHandedOver?: boolean
}

export function PaymentFields({ payment, onChange, reservedFor, canBeHandedOver }: Props) {
  return (
    <Stack gap={4} className={styles.group}>
      <RadioGroup
        name="paid-by"
        legend="Payment"
        value={payment.paidBy}
        options={OPTIONS.filter(({ value }) => reservedFor || value !== null)}
        onChange={(paidBy) => onChange({ ...payment, paidBy })}
      />
      {payment.paidBy === null && (
        <Hint>
          The lures are reserved for {reservedFor}. After that others can buy them until the payment is
          recorded.
        </Hint>
      )}
      {payment.paidBy !== null && (
        <TextField
          label="Reference"
          isOptional
          hint="From the bank statement or the receipt."
          value={payment.reference}
          maxLength={100}
          autoComplete="off"
          onValue={(value) => onChange({ ...payment, reference: value })}
        />
      )}
      {canBeHandedOver && payment.paidBy !== null && (
        <Checkbox
          label="Already handed over: mark it as delivered"
          checked={payment.isHandedOver}
          onCheck={(isChecked) => onChange({ ...payment, isHandedOver: isChecked })}
        />
      )}
    </Stack>
  )
}
