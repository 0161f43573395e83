import { useState } from 'react'
import { Row } from '#app/ui/layout.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { stockOf, stockText, type Product, type Variant } from '#domain/catalogue.ts'
import styles from './stock-line.module.css'

const LOOK = { className: styles.line, gap: 2, tone: 'muted', weight: 600, size: 's' } as const

interface StockLineProps {
  product: Product
  variant: Variant | null
}

/** The stock in words. Screen readers announce it when another colour is chosen, and when sales start or end. */
export function StockLine({ product, variant }: StockLineProps) {
  const stock = stockOf(product, variant)
  if (product.showsStock) return <CountedStock product={product} variant={variant} />
  return (
    <Row as="p" {...LOOK} data-state={stock.state} role="status">
      {/* The countdown and the button say that it is not on sale yet. */}
      {stock.state !== 'announced' && stockText(stock)}
    </Row>
  )
}

/** Each sale of a limited run changes its number, which would be announced every few seconds. */
function CountedStock({ product, variant }: StockLineProps) {
  const stock = stockOf(product, variant)
  const subject = `${variant?.id} ${stock.state}`
  const [announced, setAnnounced] = useState({ subject, text: '' })
  if (announced.subject !== subject) setAnnounced({ subject, text: stockText(stock) })
  return (
    <Row as="p" {...LOOK} data-state={stock.state}>
      {stockText(stock)}
      <VisuallyHidden role="status">{announced.text}</VisuallyHidden>
    </Row>
  )
}
