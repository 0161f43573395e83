import { Trash2 } from 'lucide-react'
import { IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Grid, Hint, Row, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { isOrderable, type ShownLine } from '#domain/cart.ts'
import { lineTotalCents } from '#domain/pricing.ts'
import { LineNotes, LinePicture } from '../purchase/line-notes.tsx'
import { QuantityStepper } from '../purchase/quantity-stepper.tsx'
import { useCart } from './cart-context.ts'
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
        <QuantityStepper
          line={name}
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
