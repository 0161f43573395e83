import { useState, type KeyboardEvent } from 'react'
import { MAX_QUANTITY, parseQuantity } from '#domain/quantity.ts'

interface QuantityInputProps {
  className: string | undefined
  quantity: number
  onChange: (quantity: number) => void
  /** `typing` reports each keystroke, for a price beside the field; `leaving` reports once, where each change is a request. */
  reportsOn: 'typing' | 'leaving'
}

interface Draft {
  text: string
  /** The quantity before the first keystroke, which invalid input leaves unchanged. */
  before: number
}

/**
 * The text field of every quantity. It shows what is typed until the visitor leaves it or presses Enter. It is not
 * `type="number"`, because that hides invalid input from scripts: "-5" arrives as an empty value, and then as 5.
 */
export function QuantityInput({ className, quantity, onChange, reportsOn }: QuantityInputProps) {
  const [draft, setDraft] = useState<Draft | null>(null)

  const change = (next: number) => {
    if (next !== quantity) onChange(next)
  }
  const type = (text: string) => {
    const before = draft?.before ?? quantity
    setDraft({ text, before })
    if (reportsOn === 'typing') change(parseQuantity(text, before))
  }
  const commit = () => {
    if (!draft) return
    setDraft(null)
    change(parseQuantity(draft.text, draft.before))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit()
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    setDraft(null)
    change(Math.min(Math.max(quantity + step, 1), MAX_QUANTITY))
  }

  return (
    <input
      className={className}
      type="text"
      role="spinbutton"
      inputMode="numeric"
      autoComplete="off"
      aria-label="Quantity"
      aria-valuenow={quantity}
      aria-valuemin={1}
      aria-valuemax={MAX_QUANTITY}
      value={draft?.text ?? quantity}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  )
}
