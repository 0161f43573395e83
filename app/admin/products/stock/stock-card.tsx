import { Minus, Plus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Grid, Panel, Row, Stack, Text } from '#app/ui/layout.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import {
  adjustmentFor,
  REASON_LABELS,
  signedQuantity,
  stockOfRefusal,
  useAdjustStock,
  type VariantStock,
} from './stock.ts'
import styles from './stock-card.module.css'
import { FormActions } from '../../form/form-actions.tsx'
import { RadioGroup } from '#app/ui/form/radio-group.tsx'

/**
 * The stock of one colour, with buttons sized for a thumb. They are disabled while a change is being saved: `end` resets the change,
 * so a press in between would be lost.
 */
export function StockCard({ variant }: { variant: VariantStock }) {
  const adjust = useAdjustStock(variant)
  const [change, setChange] = useState(0)
  const [isCounting, setIsCounting] = useState(false)

  const end = () => {
    setChange(0)
    setIsCounting(false)
  }
  const step = (by: number) => {
    setIsCounting(false)
    setChange((before) => Math.max(-variant.stock_quantity, before + by))
  }

  return (
    <Panel as="li" padding="m" gap={3} justify="start">
      <Row gap={3}>
        {variant.image_url && <Thumbnail src={pictureUrl(variant.image_url, 160)} size={64} />}
        <Text as="h3" size="l" grow>
          {variant.name}
        </Text>
        <Stack as="p" align="end" tone="muted" size="xs" className={styles.count}>
          <strong>{variant.stock_quantity}</strong>
          <span>in stock</span>
        </Stack>
      </Row>
      <Grid columns="56px minmax(48px, 1fr) 56px auto" gap={2} align="center" className={styles.steps}>
        <IconButton
          className={styles.step}
          label={`Remove one ${variant.name}`}
          disabled={adjust.isPending || variant.stock_quantity + change <= 0}
          onClick={() => step(-1)}
        >
          <Minus size={24} aria-hidden />
        </IconButton>
        <output className={styles.change} aria-label={`Change of ${variant.name}`}>
          {change === 0 ? '' : signedQuantity(change)}
        </output>
        <IconButton
          className={styles.step}
          label={`Add one ${variant.name}`}
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
      </Grid>
      {(change !== 0 || isCounting) && (
        <AdjustmentForm
          key={String(isCounting)}
          variant={variant}
          adjust={adjust}
          change={isCounting ? null : change}
          onEnd={end}
        />
      )}
    </Panel>
  )
}

interface FormProps {
  variant: VariantStock
  adjust: ReturnType<typeof useAdjustStock>
  /** Null while counting. */
  change: number | null
  onEnd: () => void
}

const DECREASES = (['expo', 'lost'] as const).map((value) => ({ value, label: REASON_LABELS[value] }))

/** Asks for the reason and a note. The change stays when saving fails. */
function AdjustmentForm({ variant, adjust, change, onEnd }: FormProps) {
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
