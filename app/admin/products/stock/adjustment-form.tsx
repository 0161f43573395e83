import { useState, type FormEvent } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { RadioGroup } from '#app/ui/form/radio-group.tsx'
import { Stack, Text } from '#app/ui/layout.tsx'
import { FormActions } from '../../form/form-actions.tsx'
import {
  adjustmentFor,
  REASON_LABELS,
  stockOfRefusal,
  type useAdjustStock,
  type VariantStock,
} from './stock.ts'

interface FormProps {
  variant: VariantStock
  /** Units of paid orders that have not left. */
  unshipped: number
  adjust: ReturnType<typeof useAdjustStock>
  /** Null while counting. */
  change: number | null
  onEnd: () => void
}

const DECREASES = (['expo', 'lost'] as const).map((value) => ({ value, label: REASON_LABELS[value] }))

/** Asks for the reason and a note. The change stays when saving fails. */
export function AdjustmentForm({ variant, unshipped, adjust, change, onEnd }: FormProps) {
  const [decreaseReason, setDecreaseReason] = useState<'expo' | 'lost'>('expo')
  const [counted, setCounted] = useState('')
  const [note, setNote] = useState('')
  const [key] = useState(() => crypto.randomUUID())
  // A count that is saved again after a refusal has seen the stock that the refusal named.
  const [seen, setSeen] = useState(variant.stock_quantity)

  const save = (event: FormEvent) => {
    event.preventDefault()
    const adjustment = adjustmentFor(change, { counted: Number(counted), decreaseReason })
    adjust.mutate(
      { ...adjustment, note, key, seen },
      { onSuccess: onEnd, onError: (error) => setSeen(stockOfRefusal(error) ?? seen) },
    )
  }

  return (
    <Stack divided="above" as="form" gap={3} onSubmit={save}>
      {change === null && (
        <TextField
          label="Counted quantity"
          hint={
            unshipped > 0 ? `Leave ${unshipped === 1 ? 'this one' : `these ${unshipped}`} out.` : undefined
          }
          type="number"
          inputMode="numeric"
          min={0}
          max={1_000_000}
          step={1}
          required
          readOnly={adjust.isPending}
          value={counted}
          onValue={setCounted}
        />
      )}
      {change !== null && change > 0 && <Text weight={600}>{REASON_LABELS.made}</Text>}
      {change !== null && change < 0 && (
        <RadioGroup
          name={`reason-${variant.id}`}
          legend="Reason"
          value={decreaseReason}
          options={DECREASES}
          onChange={setDecreaseReason}
        />
      )}
      <TextField
        label="Note"
        isOptional
        maxLength={300}
        readOnly={adjust.isPending}
        value={note}
        onValue={setNote}
      />
      <FormActions
        label={adjust.isPending ? 'Saving...' : 'Save'}
        isBusy={adjust.isPending}
        onCancel={onEnd}
      />
    </Stack>
  )
}
