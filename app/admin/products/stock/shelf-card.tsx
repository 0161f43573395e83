import { Minus, Plus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { pictureUrl } from '#app/ui/picture.tsx'
import { REASON_WORDS, signed } from './movement-words.ts'
import styles from './shelf-card.module.css'
import { FormActions } from '../../list/form-actions.tsx'
import { useAdjustStock, type Adjustment, type Shelf } from './stock.ts'

/**
 * One colour on the shelf, made for a thumb: how many, one less, one more, or counted anew. While a change is saved the buttons rest: what
 * is pressed then would be taken for part of it and forgotten with it.
 */
export function ShelfCard({ shelf }: { shelf: Shelf }) {
  const adjust = useAdjustStock(shelf)
  const [change, setChange] = useState(0)
  const [isCounting, setIsCounting] = useState(false)

  const end = () => {
    setChange(0)
    setIsCounting(false)
  }
  const step = (by: number) => {
    setIsCounting(false)
    setChange((before) => Math.max(-shelf.stock_quantity, before + by))
  }

  return (
    <li className={styles.card}>
      <div className={styles.head}>
        {shelf.image_url && (
          <img src={pictureUrl(shelf.image_url, 160)} alt="" width={64} height={64} loading="lazy" />
        )}
        <h3 className={styles.name}>{shelf.name}</h3>
        <p className={styles.count}>
          <strong>{shelf.stock_quantity}</strong>
          <span>on the shelf</span>
        </p>
      </div>
      <div className={styles.steps}>
        <IconButton
          className={styles.step}
          label={`One ${shelf.name} less`}
          disabled={adjust.isPending || shelf.stock_quantity + change <= 0}
          onClick={() => step(-1)}
        >
          <Minus size={24} aria-hidden />
        </IconButton>
        <output className={styles.change} aria-label={`Change of ${shelf.name}`}>
          {change === 0 ? '' : signed(change)}
        </output>
        <IconButton
          className={styles.step}
          label={`One ${shelf.name} more`}
          disabled={adjust.isPending}
          onClick={() => step(1)}
        >
          <Plus size={24} aria-hidden />
        </IconButton>
        <Button
          disabled={adjust.isPending}
          aria-pressed={isCounting}
          onClick={() => {
            setChange(0)
            setIsCounting(!isCounting)
          }}
        >
          Count
        </Button>
      </div>
      {(change !== 0 || isCounting) && (
        <AdjustmentForm
          key={String(isCounting)}
          shelf={shelf}
          adjust={adjust}
          change={isCounting ? null : change}
          onEnd={end}
        />
      )}
    </li>
  )
}

interface FormProps {
  shelf: Shelf
  adjust: ReturnType<typeof useAdjustStock>
  /** Null while the shelf is counted. */
  change: number | null
  onEnd: () => void
}

const WAYS_OUT = ['expo', 'lost'] as const

/** Why, and what more there is to say. What was pressed stays when it could not be saved. */
function AdjustmentForm({ shelf, adjust, change, onEnd }: FormProps) {
  const [wayOut, setWayOut] = useState<(typeof WAYS_OUT)[number]>('expo')
  const [counted, setCounted] = useState('')
  const [note, setNote] = useState('')
  const [key] = useState(() => crypto.randomUUID())

  const adjustment = (): Pick<Adjustment, 'reason' | 'quantity'> => {
    if (change === null) return { reason: 'counted', quantity: Number(counted) }
    return change > 0 ? { reason: 'made', quantity: change } : { reason: wayOut, quantity: -change }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    adjust.mutate({ ...adjustment(), note, key }, { onSuccess: onEnd })
  }

  return (
    <form className={styles.form} onSubmit={save}>
      {change === null && (
        <TextField
          label="How many are there?"
          type="number"
          inputMode="numeric"
          min={0}
          max={1_000_000}
          step={1}
          required
          value={counted}
          onChange={(event) => setCounted(event.target.value)}
        />
      )}
      {change !== null && change > 0 && <p className={styles.reason}>{REASON_WORDS.made}</p>}
      {change !== null && change < 0 && (
        <fieldset className={styles.reasons}>
          <legend>Where did they go?</legend>
          {WAYS_OUT.map((reason) => (
            <label key={reason}>
              <input
                type="radio"
                name={`way-out-${shelf.id}`}
                checked={wayOut === reason}
                onChange={() => setWayOut(reason)}
              />
              {REASON_WORDS[reason]}
            </label>
          ))}
        </fieldset>
      )}
      <TextField
        label="Note"
        isOptional
        maxLength={300}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <FormActions
        label={adjust.isPending ? 'Saving...' : 'Save'}
        isBusy={adjust.isPending}
        onCancel={onEnd}
      />
    </form>
  )
}
