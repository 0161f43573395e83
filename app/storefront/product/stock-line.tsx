import { stockOf, stockText, type Product, type Variant } from '#domain/catalogue.ts'
import styles from './stock-line.module.css'

/** What is on the shelf, in words; announced when another colour is chosen. */
export function StockLine({ product, variant }: { product: Product; variant: Variant | null }) {
  const stock = variant && stockOf(product, variant)
  return (
    <p className={styles.line} data-state={stock?.state} role="status">
      {stock ? stockText(stock) : 'Choose a colour to see what is in stock.'}
    </p>
  )
}
