import { Trash2 } from 'lucide-react'
import { IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Picture } from '#app/ui/picture.tsx'
import { Price } from '#app/ui/price.tsx'
import { isOrderable } from '#domain/cart.ts'
import { lineTotalCents } from '#domain/pricing.ts'
import { useCart, type ShownLine } from './cart-context.ts'
import styles from './cart-line.module.css'
import { LineNotes } from './line-notes.tsx'
import { LineQuantity } from './line-quantity.tsx'

export function CartLineItem({ line, onRemove }: { line: ShownLine; onRemove: () => void }) {
  const { setQuantity, remove } = useCart()
  const name = `${line.productName}, ${line.productVariant}`

  return (
    <li className={styles.line}>
      <LinePicture imageUrl={line.imageUrl} />
      <div className={styles.words}>
        <p className={styles.name}>{line.productName}</p>
        <p className={styles.detail}>{line.productVariant}</p>
        <p className={styles.detail}>{line.withHooks ? 'With Hooks' : 'Without Hooks'}</p>
      </div>
      <IconButton
        className={styles.remove}
        label={`Remove ${name}`}
        onClick={() => {
          onRemove()
          void remove(line.id)
        }}
      >
        <Trash2 size={18} aria-hidden />
      </IconButton>
      <div className={styles.figures}>
        <LineQuantity
          name={name}
          quantity={line.quantity}
          onChange={(quantity) => {
            if (quantity < 1) onRemove()
            void setQuantity(line.id, quantity)
          }}
        />
        <Price
          as="total"
          cents={lineTotalCents(line)}
          className={classNames(styles.total, !isOrderable(line) && styles.uncounted)}
        />
      </div>
      <LineNotes line={line} />
    </li>
  )
}

/** Decorative: the product's name is beside it. */
export function LinePicture({ imageUrl }: { imageUrl: string | null }) {
  return (
    <div className={styles.picture}>
      {imageUrl && (
        <Picture src={imageUrl} alt="" width={1200} height={1200} sizes="88px" widths={[160, 320]} />
      )}
    </div>
  )
}
