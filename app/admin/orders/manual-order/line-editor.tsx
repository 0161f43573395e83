import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { Stack } from '#app/ui/layout.tsx'
import styles from './manual-order.module.css'
import { defaultColour, sortInStockFirst, shortage, colourStockText } from './colour-choice.ts'
import { typedQuantity, type ManualOrderLine, type OrderableColour } from './manual-order.ts'

interface Props {
  colours: OrderableColour[]
  lines: ManualOrderLine[]
  onChange: (lines: ManualOrderLine[]) => void
}

export function LineEditor({ colours, lines, onChange }: Props) {
  const set = (index: number, change: Partial<ManualOrderLine>) =>
    onChange(lines.map((line, at) => (at === index ? { ...line, ...change } : line)))
  const add = () => {
    const first = defaultColour(colours)
    if (first) {
      onChange([...lines, { variant_id: first.variantId, with_hooks: first.isSoldWithHooks, quantity: 1 }])
    }
  }

  return (
    <Stack as="fieldset" gap={4} className={styles.group}>
      <legend>Lures</legend>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal until one is changed
        <div key={index} className={styles.line} role="group" aria-label={`Line ${index + 1}`}>
          <ColourSelect colours={colours} line={line} onChange={(change) => set(index, change)} />
          <SelectField
            label="Hooks"
            value={line.with_hooks ? 'with' : 'without'}
            onValue={(value) => set(index, { with_hooks: value === 'with' })}
          >
            <option value="with">With Hooks</option>
            <option value="without">Without Hooks</option>
          </SelectField>
          <TextField
            label="Quantity"
            type="number"
            inputMode="numeric"
            min={1}
            max={999}
            value={line.quantity || ''}
            onValue={(value) => set(index, { quantity: typedQuantity(value) })}
          />
          <IconButton
            icon={Trash2}
            label={`Remove line ${index + 1}`}
            onClick={() => onChange(lines.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button onClick={add} disabled={colours.length === 0}>
        <Plus size={18} aria-hidden /> Add lure
      </Button>
    </Stack>
  )
}

interface ColourSelectProps {
  colours: OrderableColour[]
  line: ManualOrderLine
  onChange: (change: Partial<ManualOrderLine>) => void
}

function ColourSelect({ colours, line, onChange }: ColourSelectProps) {
  const chosen = colours.find(({ variantId }) => variantId === line.variant_id)
  const productNames = [...new Set(colours.map(({ productName }) => productName))]

  return (
    <SelectField
      label="Lure and colour"
      value={line.variant_id}
      error={chosen ? shortage(chosen, line) : null}
      onValue={(value) => onChange({ variant_id: value })}
    >
      {productNames.map((productName) => (
        <optgroup key={productName} label={productName}>
          {sortInStockFirst(colours)
            .filter((colour) => colour.productName === productName)
            .map((colour) => (
              <option key={colour.variantId} value={colour.variantId}>
                {colour.colour}, {productName} ({colourStockText(colour)})
              </option>
            ))}
        </optgroup>
      ))}
    </SelectField>
  )
}
