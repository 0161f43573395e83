import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import styles from '../list/form-dialog.module.css'
import { Switch } from '#app/ui/switch.tsx'
import { useCreatePromoCode, useUpdatePromoCode, type PromoCode, type PromoRules } from './promo-code.ts'
import promoStyles from './promo-codes.module.css'
import { draftOf, NEW_PROMO, rulesOf, type PromoDraft } from './promo-form.ts'

export function CreatePromoDialog({ onClose }: { onClose: () => void }) {
  const create = useCreatePromoCode()

  return (
    <Dialog title="Create Promo Code" isOpen onClose={onClose}>
      <PromoForm
        initial={NEW_PROMO}
        submitLabel="Create Promo Code"
        isBusy={create.isPending}
        onSubmit={(rules) => create.mutate(rules, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  )
}

export function EditPromoDialog({ promo, onClose }: { promo: PromoCode; onClose: () => void }) {
  const update = useUpdatePromoCode(promo.id)
  const { code, discount_type, discount_value, min_order_amount } = promo
  const { usage_limit, expires_at, is_active, free_shipping } = promo
  const rules = {
    code,
    discount_type,
    discount_value,
    min_order_amount,
    usage_limit,
    expires_at,
    is_active,
    free_shipping,
  }

  return (
    <Dialog title="Edit Promo Code" isOpen onClose={onClose}>
      <PromoForm
        initial={draftOf(rules)}
        submitLabel="Save Changes"
        isBusy={update.isPending}
        onSubmit={(changed) => update.mutate(changed, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface FormProps {
  initial: PromoDraft
  submitLabel: string
  isBusy: boolean
  onSubmit: (rules: PromoRules) => void
  onCancel: () => void
}

type Change = (change: Partial<PromoDraft>) => void

function PromoForm({ initial, submitLabel, isBusy, onSubmit, onCancel }: FormProps) {
  const [draft, setDraft] = useState(initial)
  const change: Change = (changed) => setDraft((before) => ({ ...before, ...changed }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(rulesOf(draft))
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Code"
        required
        maxLength={40}
        pattern="\s*[A-Za-z0-9][A-Za-z0-9_\-]*\s*"
        title="Letters, digits, - and _"
        autoCapitalize="characters"
        autoComplete="off"
        value={draft.code}
        onChange={(event) => change({ code: event.target.value.toUpperCase() })}
      />
      <DiscountFields draft={draft} change={change} />
      <LimitFields draft={draft} change={change} />
      <div className={promoStyles.switches}>
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
      </div>
      <div className={styles.actions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="action" disabled={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

function DiscountFields({ draft, change }: { draft: PromoDraft; change: Change }) {
  const isPercentage = draft.discount_type === 'percentage'
  return (
    <div className={styles.pair}>
      <SelectField
        label="Discount Type"
        value={draft.discount_type}
        onChange={(event) =>
          change({ discount_type: event.target.value === 'fixed' ? 'fixed' : 'percentage' })
        }
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
        max={isPercentage ? '100' : undefined}
        step="0.01"
        value={draft.discount_value}
        onChange={(event) => change({ discount_value: event.target.value })}
      />
    </div>
  )
}

function LimitFields({ draft, change }: { draft: PromoDraft; change: Change }) {
  return (
    <>
      <TextField
        label="Minimum Order Amount (R)"
        type="number"
        inputMode="decimal"
        min="0"
        step="0.01"
        value={draft.min_order_amount}
        onChange={(event) => change({ min_order_amount: event.target.value })}
      />
      <div className={styles.pair}>
        <TextField
          label="Usage Limit"
          isOptional
          placeholder="Unlimited"
          type="number"
          inputMode="numeric"
          min="1"
          step="1"
          value={draft.usage_limit}
          onChange={(event) => change({ usage_limit: event.target.value })}
        />
        <TextField
          label="Expiry Date"
          isOptional
          type="datetime-local"
          value={draft.expires_at}
          onChange={(event) => change({ expires_at: event.target.value })}
        />
      </div>
    </>
  )
}
