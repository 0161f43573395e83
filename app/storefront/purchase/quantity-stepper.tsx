import { Minus, Plus } from 'lucide-react'
import { MAX_QUANTITY } from '#domain/quantity.ts'
import { QuantityInput } from './quantity-input.tsx'
import styles from './quantity-stepper.module.css'

interface QuantityStepperProps {
  quantity: number
  onChange: (quantity: number) => void
}

export function QuantityStepper({ quantity, onChange }: QuantityStepperProps) {
  return (
    <div className={styles.stepper} role="group" aria-label="Quantity">
      <button
        type="button"
        className={styles.step}
        aria-label="Decrease quantity"
        disabled={quantity <= 1}
        onClick={() => onChange(quantity - 1)}
      >
        <Minus size={18} aria-hidden />
      </button>
      <QuantityInput className={styles.count} quantity={quantity} onChange={onChange} reportsOn="typing" />
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
