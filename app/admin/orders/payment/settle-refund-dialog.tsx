import { useState } from 'react'
import { RadioGroup } from '#app/ui/form/radio-group.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import type { Refund } from './payment-record-query.ts'
import { useSettleRefund } from './refund-changes.ts'

interface Props {
  refund: Pick<Refund, 'id' | 'amount' | 'state'>
  onClose: () => void
}

/** Records the outcome of a refund that PayFast did not confirm. */
export function SettleRefundDialog({ refund, onClose }: Props) {
  const settle = useSettleRefund(refund.id)
  const [outcome, setOutcome] = useState<'done' | 'failed'>('done')
  const [note, setNote] = useState('')
  const hasNote = note.trim().length >= 3

  const save = () => {
    if (hasNote) settle.mutate({ outcome, note: note.trim() }, { onSuccess: onClose })
  }

  return (
    <DialogForm
      title={`Refund of ${formatTotal(centsFromRand(refund.amount))}`}
      submit="Save"
      isBusy={!hasNote || settle.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <RadioGroup
        name="outcome"
        legend="What PayFast’s dashboard shows"
        value={outcome}
        options={[
          { value: 'done', label: 'The refund was paid' },
          ...(refund.state === 'failed'
            ? []
            : [{ value: 'failed' as const, label: 'The refund was not and will not be paid' }]),
        ]}
        onChange={setOutcome}
      />
      <TextField label="How you know" value={note} maxLength={500} onValue={setNote} />
    </DialogForm>
  )
}
