import { Minus, Plus } from 'lucide-react'
import { MAX_QUANTITY, quantityAfter } from '#domain/quantity.ts'
import styles from './quantity-stepper.module.css'

interface QuantityStepperProps {
  /** What is counted, for those who listen: "Quantity". */
  label: string
  quantity: number
  onChange: (quantity: number) => void
}

export function QuantityStepper({ label, quantity, onChange }: QuantityStepperProps) {
  return (
    <div className={styles.stepper} role="group" aria-label={label}>
      <button
        type="button"
        className={styles.step}
        aria-label="Decrease quantity"
        disabled={quantity <= 1}
        onClick={() => onChange(quantity - 1)}
      >
        <Minus size={18} aria-hidden />
      </button>
      <input
        className={styles.count}
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_QUANTITY}
        aria-label={label}
        value={quantity}
        onChange={({ currentTarget }) => {
          // A half-typed "-" or "e" reads as empty too, but it is nonsense and not an emptied field.
          if (currentTarget.validity.badInput) return
          onChange(quantityAfter(currentTarget.value, quantity))
          // The 1 that replaces an emptied field is there to be typed over.
          if (currentTarget.value === '') requestAnimationFrame(() => currentTarget.select())
        }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onWheel={({ currentTarget }) => currentTarget.blur()}
      />
      <button
        type="button"
        className={styles.step}
        aria-label="Increase quantity"
        disabled={quantity >= MAX_QUANTITY}
        onClick={() => onChange(quantity + 1)}
      >
        <Plus size={18} aria-hidden />
      </button>
    </div>
  )
}
