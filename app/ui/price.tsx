import { formatPrice, formatTotal } from '#domain/money.ts'
import { classNames } from './class-names.ts'
import styles from './price.module.css'

/** Shows a price (`R400`) or, with `as="total"`, a sum (`R1 234.50`). */
export function Price({
  cents,
  as = 'tag',
  className,
}: {
  cents: number
  as?: 'tag' | 'total'
  className?: string
}) {
  return (
    <span className={classNames(styles.price, className)}>
      {as === 'total' ? formatTotal(cents) : formatPrice(cents)}
    </span>
  )
}
