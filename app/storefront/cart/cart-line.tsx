import { Trash2 } from 'lucide-react'
import { IconButton } from '#app/ui/button.tsx'
import { Grid, Hint, Row, Text } from '#app/ui/layout.tsx'
import type { ShownLine } from '#domain/cart.ts'
import { LineNotes, LinePicture, LineTotal } from '../purchase/line-notes.tsx'
import { QuantityStepper } from '../purchase/quantity-stepper.tsx'
import { useCart } from './cart-context.ts'
import styles from './cart-line.module.css'

export function CartLineItem({ line, onRemove }: { line: ShownLine; onRemove: () => void }) {
  const { setQuantity, remove } = useCart()
  const name = `${line.productName}, ${line.productVariant}`

  return (
    <Grid as="li" divided="below" columns="88px 1fr auto" gap={2} columnGap={3} align="start" block={4}>
      <LinePicture imageUrl={line.imageUrl} />
      <Text as="div" shrinks>
        <Text weight={700} className={styles.name}>
          {line.productName}
        </Text>
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
        <LineTotal line={line} size="l" />
      </Row>
      <LineNotes line={line} onFix={onRemove} />
    </Grid>
  )
}
