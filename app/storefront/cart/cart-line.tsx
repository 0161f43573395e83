import { Minus, Plus, Trash2 } from 'lucide-react'
import { IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Grid, Hint, Row, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { isOrderable } from '#domain/cart.ts'
import { lineTotalCents } from '#domain/pricing.ts'
import { MAX_QUANTITY } from '#domain/quantity.ts'
import { LineNotes, LinePicture } from '../purchase/line-notes.tsx'
import { QuantityInput } from '../purchase/quantity-input.tsx'
import { useCart, type ShownLine } from './cart-context.ts'
import styles from './cart-line.module.css'

export function CartLineItem({ line, onRemove }: { line: ShownLine; onRemove: () => void }) {
  const { setQuantity, remove } = useCart()
  const name = `${line.productName}, ${line.productVariant}`

  return (
    <Grid as="li" columns="88px 1fr auto" gap={2} columnGap={3} align="start" className={styles.line}>
      <LinePicture imageUrl={line.imageUrl} />
      <Text as="div" shrinks>
        <p className={styles.name}>{line.productName}</p>
        <Hint>{line.productVariant}</Hint>
        <Hint>{line.withHooks ? 'With Hooks' : 'Without Hooks'}</Hint>
      </Text>
      <IconButton
        className={styles.remove}
        label={`Remove ${name}`}
        onClick={() => {
          onRemove()
          void remove(line)
        }}
      >
        <Trash2 size={18} aria-hidden />
      </IconButton>
      <Row justify="between" className={styles.figures}>
        <LineQuantity
          name={name}
          quantity={line.quantity}
          onChange={(quantity) => {
            if (quantity < 1) onRemove()
            void setQuantity(line, quantity)
          }}
        />
        <Price
          as="total"
          cents={lineTotalCents(line)}
          className={classNames(styles.total, !isOrderable(line) && styles.uncounted)}
        />
      </Row>
      <LineNotes line={line} />
    </Grid>
  )
}

interface LineQuantityProps {
  /** The line, named for screen readers. */
  name: string
  quantity: number
  onChange: (quantity: number) => void
}

/** The minus button removes the line at quantity one. */
function LineQuantity({ name, quantity, onChange }: LineQuantityProps) {
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
