import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Grid, Panel, Stack } from '#app/ui/layout.tsx'
import { violatedConstraint } from '../form/save-unless-changed.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import {
  rulesOfCode,
  useCreatePromoCode,
  useUpdatePromoCode,
  type PromoCode,
  type PromoRules,
} from './promo-code.ts'
import promoStyles from './promo-dialog.module.css'
import { PromoFields } from './promo-fields.tsx'
import { dateErrorOf, draftOf, NEW_PROMO, rulesOf, welcomeWarning, type PromoDraft } from './promo-form.ts'
import { promoSentence } from './promo-sentence.ts'
import { PromoTester } from './promo-tester.tsx'
import { useEdit } from '../form/use-edit.tsx'
import { DialogActions } from '../form/form-actions.tsx'

interface CreateProps {
  /** The rules of the code to duplicate. */
  initial?: PromoDraft
  onClose: () => void
}

export function CreatePromoDialog({ initial = NEW_PROMO, onClose }: CreateProps) {
  const create = useCreatePromoCode()

  return (
    <FormDialog
      title="Create Promo Code"
      isOpen
      isBusy={create.isPending}
      onClose={onClose}
      className={promoStyles.dialog}
    >
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
  const update = useUpdatePromoCode()
  const { seen, save, conflict } = useEdit({ row: promo, mutation: update, onSaved: onClose })

  return (
    <FormDialog
      title="Edit Promo Code"
      isOpen
      isBusy={update.isPending}
      onClose={onClose}
      className={promoStyles.dialog}
    >
      <PromoForm
        key={seen.updated_at}
        conflict={conflict}
        id={promo.id}
        initial={draftOf(rulesOfCode(seen))}
        submitLabel="Save Changes"
        isBusy={update.isPending}
        isTaken={isNameTaken(update.error)}
        onSubmit={save}
        onCancel={onClose}
      />
    </FormDialog>
  )
}

function isNameTaken(error: Error | null): boolean {
  return ['code_taken', 'code_reads_alike'].includes(violatedConstraint(error) ?? '')
}

interface FormProps {
  /** Absent for a new code. */
  id?: string
  /** The message about a conflicting change. */
  conflict?: ReactNode
  initial: PromoDraft
  submitLabel: string
  isBusy: boolean
  /** The last save failed because another code has this name. */
  isTaken: boolean
  onSubmit: (rules: PromoRules) => void
  onCancel: () => void
}

function PromoForm({ id, conflict, initial, submitLabel, isBusy, isTaken, onSubmit, onCancel }: FormProps) {
  const [draft, setDraft] = useState(initial)
  const formId = useId()
  const rules = rulesOf(draft)
  const dateError = dateErrorOf(rules)
  const warning = welcomeWarning(initial.code)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!dateError) onSubmit(rules)
  }

  return (
    <Grid columns="minmax(0, 1fr)" gap={5} className={promoStyles.columns}>
      <Stack as="form" gap={4} justify="start" shrinks id={formId} onSubmit={submit}>
        {conflict}
        {warning && (
          <Panel as="p" kind="warning" size="s">
            {warning}
          </Panel>
        )}
        <PromoFields draft={draft} dateError={dateError} isTaken={isTaken} onChange={setDraft} />
      </Stack>
      <Stack gap={4} justify="start" shrinks>
        <div className={promoStyles.summary}>
          <h3>Summary</h3>
          <output htmlFor={formId}>
            {draft.discount_value === '' ? 'Enter a discount value to see a summary.' : promoSentence(rules)}
          </output>
        </div>
        <PromoTester rules={id ? { ...rules, id } : rules} />
      </Stack>
      <DialogActions>
        <Button disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" form={formId} look="action" disabled={isBusy}>
          {submitLabel}
        </Button>
      </DialogActions>
    </Grid>
  )
}
