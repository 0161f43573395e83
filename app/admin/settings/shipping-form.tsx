import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { shop } from '#shop'
import { ConflictMessage } from '../form/conflict-message.tsx'
import formStyles from '../form/form-dialog.module.css'
import { useFormGuard } from '../form/use-form-guard.tsx'
import styles from './settings.module.css'
import { useChangeSettings, type ShopSettings } from './settings.ts'

const { flatRateRand, freeFromRand } = shop.shipping

/** Shipping rates and methods; saved changes take effect immediately on every page. */
export function ShippingForm({ settings }: { settings: ShopSettings }) {
  const change = useChangeSettings()
  const { guard, markSaved, question } = useFormGuard()
  const [seen, setSeen] = useState(settings)
  const [rate, setRate] = useState(() => String(settings.shipping_rate ?? flatRateRand))
  const [freeFrom, setFreeFrom] = useState(() => String(settings.free_shipping_from ?? freeFromRand))
  const [offersLocker, setOffersLocker] = useState(settings.offers_locker)
  const values = {
    shipping_rate: parseNumber(rate),
    free_shipping_from: parseNumber(freeFrom),
    offers_locker: offersLocker,
  }

  const saveOver = (version: ShopSettings) =>
    change.mutate({ seen: version, values }, { onSuccess: markSaved })
  const save = (event: FormEvent) => {
    event.preventDefault()
    saveOver(seen)
  }
  const take = (now: ShopSettings) => {
    setSeen(now)
    setRate(String(now.shipping_rate ?? flatRateRand))
    setFreeFrom(String(now.free_shipping_from ?? freeFromRand))
    setOffersLocker(now.offers_locker)
    change.reset()
    markSaved()
  }

  return (
    <div className={styles.block} {...guard}>
      <ConflictMessage
        error={change.error}
        mine={values}
        onTake={(now) => take({ ...settings, ...now })}
        onKeep={(now) => saveOver({ ...settings, ...now })}
      />
      <form className={styles.form} onSubmit={save}>
        <div className={formStyles.pair}>
          <RandField
            label="Shipping (R)"
            hint="For lockers and door-to-door"
            placeholder={String(flatRateRand)}
            max={10_000}
            value={rate}
            onType={setRate}
          />
          <RandField
            label="Free shipping from (R)"
            hint="Subtotal before discount"
            placeholder={String(freeFromRand)}
            max={1_000_000}
            value={freeFrom}
            onType={setFreeFrom}
          />
        </div>
        <Row touch as="span" gap={3}>
          <Switch label="Offer lockers" isOn={offersLocker} onSwitch={setOffersLocker} /> Offer lockers
        </Row>
        <Button type="submit" look="action" className={styles.save} disabled={change.isPending}>
          Save Changes
        </Button>
      </form>
      {question}
    </div>
  )
}

interface RandFieldProps {
  label: string
  hint: string
  /** The default that applies while the field is empty. */
  placeholder: string
  max: number
  value: string
  onType: (value: string) => void
}

function RandField({ onType, ...field }: RandFieldProps) {
  return <TextField {...field} type="number" inputMode="decimal" min="0" step="0.01" onValue={onType} />
}

function parseNumber(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
