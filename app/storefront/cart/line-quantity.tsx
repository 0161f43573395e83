import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { MAX_QUANTITY } from '#domain/quantity.ts'
import styles from './line-quantity.module.css'

interface LineQuantityProps {
  /** Which line, for those who listen. */
  name: string
  quantity: number
  onChange: (quantity: number) => void
}

/** Minus at one takes the line away; what is typed counts with Enter or on leaving the field, and nonsense changes nothing. */
export function LineQuantity({ name, quantity, onChange }: LineQuantityProps) {
  const [typed, setTyped] = useState<string | null>(null)

  const settle = () => {
    setTyped(null)
    const wanted = Number(typed)
    if (typed === null || !/^\d+$/.test(typed) || wanted < 1) return
    if (wanted !== quantity) onChange(Math.min(wanted, MAX_QUANTITY))
  }

  return (
    <fieldset className={styles.quantity} aria-label={`Quantity of ${name}`}>
      <IconButton
        label={quantity > 1 ? 'Decrease quantity' : `Remove ${name}`}
        onClick={() => onChange(quantity - 1)}
      >
        <Minus size={16} aria-hidden />
      </IconButton>
      <input
        className={styles.count}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        aria-label="Quantity"
        value={typed ?? quantity}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={settle}
        onKeyDown={(event) => {
          if (event.key === 'Enter') settle()
        }}
      />
      <IconButton
        label="Increase quantity"
        disabled={quantity >= MAX_QUANTITY}
        onClick={() => onChange(quantity + 1)}
      >
        <Plus size={16} aria-hidden />
      </IconButton>
    </fieldset>
  )
}
