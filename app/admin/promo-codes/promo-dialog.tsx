import { useId, useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { violatedConstraint } from '../list/violated-constraint.ts'
import { ConflictMessage } from '../list/conflict-message.tsx'
import { FormDialog } from '../list/form-dialog.tsx'
import styles from '../list/form-dialog.module.css'
import {
  rulesOfCode,
  useCreatePromoCode,
  useUpdatePromoCode,
  type PromoChange,
  type PromoCode,
  type PromoRules,
} from './promo-code.ts'
import promoStyles from './promo-dialog.module.css'
import { PromoFields } from './promo-fields.tsx'
import { contradictionIn, draftOf, NEW_PROMO, rulesOf, type PromoDraft } from './promo-form.ts'
import { promoSentence } from './promo-sentence.ts'
import { PromoTrial } from './promo-trial.tsx'

/** `initial` is another code's rules when that one is duplicated. */
export function CreatePromoDialog({
  initial = NEW_PROMO,
  onClose,
}: {
  initial?: PromoDraft
  onClose: () => void
}) {
  const create = useCreatePromoCode()

  return (
    <FormDialog title="Create Promo Code" isOpen onClose={onClose} className={promoStyles.dialog}>
      <PromoForm
        initial={initial}
        submitLabel="Create Promo Code"
        isBusy={create.isPending}
        isTaken={isNameTaken(create.error)}
        onSubmit={(rules) => create.mutate(rules, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </FormDialog>
  )
}

export function EditPromoDialog({ promo, onClose }: { promo: PromoCode; onClose: () => void }) {
  const update = useUpdatePromoCode(promo.id)
  const [seen, setSeen] = useState(promo)
  const save = (change: PromoChange) => update.mutate(change, { onSuccess: onClose })

  return (
    <FormDialog title="Edit Promo Code" isOpen onClose={onClose} className={promoStyles.dialog}>
      {update.variables && (
        <ConflictMessage
          error={update.error}
          mine={update.variables.rules}
          onTake={(now) => {
            setSeen({ ...seen, ...now })
            update.reset()
          }}
          onKeep={(now) => save({ rules: update.variables.rules, seen: now })}
        />
      )}
      <PromoForm
        key={seen.updated_at}
        id={promo.id}
        initial={draftOf(rulesOfCode(seen))}
        submitLabel="Save Changes"
        isBusy={update.isPending}
        isTaken={isNameTaken(update.error)}
        onSubmit={(rules) => save({ rules, seen })}
        onCancel={onClose}
      />
    </FormDialog>
  )
}

function isNameTaken(error: Error | null): boolean {
  return ['code_taken', 'code_reads_alike'].includes(violatedConstraint(error) ?? '')
}

interface FormProps {
  /** Of a code that is saved. */
  id?: string
  initial: PromoDraft
  submitLabel: string
  isBusy: boolean
  /** The last try had another code's name. */
  isTaken: boolean
  onSubmit: (rules: PromoRules) => void
  onCancel: () => void
}

function PromoForm({ id, initial, submitLabel, isBusy, isTaken, onSubmit, onCancel }: FormProps) {
  const [draft, setDraft] = useState(initial)
  const formId = useId()
  const rules = rulesOf(draft)
  const contradiction = contradictionIn(rules)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!contradiction) onSubmit(rules)
  }

  return (
    <div className={promoStyles.columns}>
      <form id={formId} className={promoStyles.column} onSubmit={submit}>
        <PromoFields
          draft={draft}
          contradiction={contradiction}
          isTaken={isTaken}
          change={(changed) => setDraft((before) => ({ ...before, ...changed }))}
        />
      </form>
      <div className={promoStyles.column}>
        <div className={promoStyles.meaning}>
          <h3>What it does</h3>
          <output htmlFor={formId}>
            {draft.discount_value === '' ? 'Say how much it takes off.' : promoSentence(rules)}
          </output>
        </div>
        <PromoTrial rules={id ? { ...rules, id } : rules} />
      </div>
      <div className={styles.actions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" form={formId} look="action" disabled={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </div>
  )
}
