import { useState } from 'react'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { stockOf, stockText, type Product, type Variant } from '#domain/catalogue.ts'
import styles from './stock-line.module.css'

interface StockLineProps {
  product: Product
  variant: Variant | null
}

/** The stock in words. Screen readers announce it when another colour is chosen, and when sales start or end. */
export function StockLine({ product, variant }: StockLineProps) {
  const stock = stockOf(product, variant)
  if (product.showsStock) return <CountedStock product={product} variant={variant} />
  return (
    <p className={styles.line} data-state={stock.state} role="status">
      {/* The countdown and the button say that it is not on sale yet. */}
      {stock.state !== 'announced' && stockText(stock)}
    </p>
  )
}

/** Each sale of a limited run changes its number, which would be announced every few seconds. */
function CountedStock({ product, variant }: StockLineProps) {
  const stock = stockOf(product, variant)
  const subject = `${variant?.id} ${stock.state}`
  const [announced, setAnnounced] = useState({ subject, text: '' })
  if (announced.subject !== subject) setAnnounced({ subject, text: stockText(stock) })
  return (
    <p className={styles.line} data-state={stock.state}>
      {stockText(stock)}
      <VisuallyHidden role="status">{announced.text}</VisuallyHidden>
    </p>
  )
}
