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
import { shippingDraftOf, valuesOf } from './shipping-draft.ts'
import { useChangeSettings, type ShopSettings } from './settings.ts'

const { flatRateRand, freeFromRand } = shop.shipping

/**
 * Shipping rates and methods; saved changes take effect immediately on every page. The fields are read-only while a change is being
 * saved: the saved values remount the form, so text typed in between would be lost.
 */
export function ShippingForm({ settings }: { settings: ShopSettings }) {
  const change = useChangeSettings()
  const { guard, markSaved, question } = useFormGuard()
  const [draft, setDraft] = useState(() => shippingDraftOf(settings))
  const field = fieldsOf(draft, setDraft)
  const values = valuesOf(draft)
  const { save, conflict } = useEdit({
    row: settings,
    mutation: change,
    values,
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
      {conflict}
      <Stack as="form" gap={4} onSubmit={submit}>
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
