import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { LabelledSwitch } from '#app/ui/switch.tsx'
import { shop } from '#shop'
import { fieldsOf } from '../form/fields-of.ts'
import formStyles from '../form/form-dialog.module.css'
import { useEdit } from '../form/use-edit.tsx'
import { useFormGuard } from '../form/use-form-guard.tsx'
import styles from './settings.module.css'
import {
  isSameDraft,
  keepDefaults,
  shippingDraftOf,
  valuesOf,
  withDefaults,
  type ShippingDraft,
} from './shipping-draft.ts'
import { useChangeSettings, type ShopSettings } from './settings.ts'

const { flatRateRand, freeFromRand } = shop.shipping

/**
 * Shipping rates and methods; saved changes take effect immediately on every page. Shows what others save, unless something is typed:
 * then saving reports the conflict.
 */
export function ShippingForm({ settings }: { settings: ShopSettings }) {
  const [opened, setOpened] = useState(settings)
  const [draft, setDraft] = useState(() => shippingDraftOf(settings))
  const saved = shippingDraftOf(settings)
  const isTyped = !isSameDraft(draft, shippingDraftOf(opened)) && !isSameDraft(draft, saved)
  if (opened !== settings && !isTyped) {
    setOpened(settings)
    setDraft(saved)
  }

  const key = Object.values(shippingDraftOf(opened)).join()
  return <OpenedForm key={key} row={opened} draft={draft} setDraft={setDraft} />
}

interface FormProps {
  /** The settings as they were when the form was opened. */
  row: ShopSettings
  draft: ShippingDraft
  setDraft: (draft: ShippingDraft) => void
}

/** The fields are read-only while a change is being saved: text typed in between would conflict with the user's own change. */
function OpenedForm({ row, draft, setDraft }: FormProps) {
  const change = useChangeSettings()
  const { guard, markSaved, question } = useFormGuard()
  const field = fieldsOf(draft, setDraft)
  const values = keepDefaults(valuesOf(draft), row)
  const { save, conflict } = useEdit({
    row,
    mutation: change,
    values,
    compared: withDefaults,
    onSaved: markSaved,
    onTake(theirs) {
      setDraft(shippingDraftOf(theirs))
      markSaved()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(values)
  }

  return (
    <Stack gap={4} {...guard}>
      <Stack as="form" gap={4} onSubmit={submit}>
        {conflict}
        <div className={formStyles.pair}>
          <TextField
            label="Shipping (R)"
            hint="For lockers and door-to-door"
            placeholder={String(flatRateRand)}
            max={10_000}
            readOnly={change.isPending}
            {...RAND}
            {...field('rate')}
          />
          <TextField
            label="Free shipping from (R)"
            hint="Subtotal before discount"
            placeholder={String(freeFromRand)}
            max={1_000_000}
            readOnly={change.isPending}
            {...RAND}
            {...field('freeFrom')}
          />
        </div>
        <LabelledSwitch
          label="Offer lockers"
          isOn={draft.offers_locker}
          disabled={change.isPending}
          onSwitch={(isOn) => setDraft({ ...draft, offers_locker: isOn })}
        />
        <Button type="submit" look="action" className={styles.save} disabled={change.isPending}>
          Save Changes
        </Button>
      </Stack>
      {question}
    </Stack>
  )
}

const RAND = { type: 'number', inputMode: 'decimal', min: '0', step: '0.01' } as const
