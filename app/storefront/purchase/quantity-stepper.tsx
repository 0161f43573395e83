import { Minus, Plus } from 'lucide-react'
import { classNames } from '#app/ui/class-names.ts'
import { MAX_QUANTITY } from '#domain/quantity.ts'
import { QuantityInput } from './quantity-input.tsx'
import styles from './quantity-stepper.module.css'

interface QuantityStepperProps {
  quantity: number
  onChange: (quantity: number) => void
  /** The line of the cart, named for screen readers. There, minus removes a single unit, and each change is a request. */
  line?: string
}

export function QuantityStepper({ quantity, onChange, line }: QuantityStepperProps) {
  const isLast = quantity <= 1
  return (
    <div
      className={classNames(styles.stepper, line !== undefined && styles.small)}
      role="group"
      aria-label={line ? `Quantity of ${line}` : 'Quantity'}
    >
      <button
        type="button"
        className={styles.step}
        aria-label={line && isLast ? `Remove ${line}` : 'Decrease quantity'}
        disabled={isLast && !line}
        onClick={() => onChange(quantity - 1)}
      >
        <Minus size={18} aria-hidden />
      </button>
      <QuantityInput
        className={styles.count}
        quantity={quantity}
        onChange={onChange}
        reportsOn={line ? 'leaving' : 'typing'}
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
