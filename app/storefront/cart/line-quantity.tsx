import { Minus, Plus } from 'lucide-react'
import { IconButton } from '#app/ui/button.tsx'
import { QuantityInput } from '#app/storefront/purchase/quantity-input.tsx'
import { Row } from '#app/ui/layout.tsx'
import { MAX_QUANTITY } from '#domain/quantity.ts'
import styles from './line-quantity.module.css'

interface LineQuantityProps {
  /** The line, named for screen readers. */
  name: string
  quantity: number
  onChange: (quantity: number) => void
}

/** The minus button removes the line at quantity one. */
export function LineQuantity({ name, quantity, onChange }: LineQuantityProps) {
  return (
    <Row as="fieldset" inline className={styles.quantity} aria-label={`Quantity of ${name}`}>
      <IconButton
        label={quantity > 1 ? 'Decrease quantity' : `Remove ${name}`}
        onClick={() => onChange(quantity - 1)}
      >
        <Minus size={16} aria-hidden />
      </IconButton>
      <QuantityInput className={styles.count} quantity={quantity} onChange={onChange} reportsOn="leaving" />
      <IconButton
        label="Increase quantity"
        disabled={quantity >= MAX_QUANTITY}
        onClick={() => onChange(quantity + 1)}
      >
        <Plus size={16} aria-hidden />
      </IconButton>
    </Row>
  )
}
