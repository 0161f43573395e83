import { useState, type FormEvent } from 'react'
import { Choices } from '#app/ui/form/choices.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { FormActions } from '../../form/form-actions.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import styles from '../../form/form-dialog.module.css'
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

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (hasNote) settle.mutate({ outcome, note: note.trim() }, { onSuccess: onClose })
  }

  return (
    <FormDialog title={`Refund of ${formatTotal(centsFromRand(refund.amount))}`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={save}>
        <Choices legend="What PayFast’s dashboard shows">
          <label>
            <input
              type="radio"
              name="outcome"
              checked={outcome === 'done'}
              onChange={() => setOutcome('done')}
            />{' '}
            The refund was paid
          </label>
          {refund.state !== 'failed' && (
            <label>
              <input
                type="radio"
                name="outcome"
                checked={outcome === 'failed'}
                onChange={() => setOutcome('failed')}
              />{' '}
              The refund was not and will not be paid
            </label>
          )}
        </Choices>
        <TextField
          label="How you know"
          value={note}
          maxLength={500}
          onChange={(event) => setNote(event.target.value)}
        />
        <FormActions label="Save" isBusy={!hasNote || settle.isPending} onCancel={onClose} />
      </form>
    </FormDialog>
  )
}
