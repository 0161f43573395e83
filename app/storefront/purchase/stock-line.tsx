import { stockOf, stockText, type Product, type Variant } from '#domain/catalogue.ts'
import styles from './stock-line.module.css'

/** The stock in words. Screen readers announce it when another colour is chosen. */
export function StockLine({ product, variant }: { product: Product; variant: Variant | null }) {
  const stock = stockOf(product, variant)
  return (
    <p className={styles.line} data-state={stock.state} role="status">
      {stockText(stock)}
    </p>
  )
}
