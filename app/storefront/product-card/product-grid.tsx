import { useState } from 'react'
import { useLiveStock } from '#app/storefront/stock/use-live-stock.ts'
import { classNames } from '#app/ui/class-names.ts'
import { shop } from '#shop'
import { cardPictures, type Product } from '#domain/catalogue.ts'
import { ProductCard } from './product-card.tsx'
import styles from './product-grid.module.css'

interface ProductGridProps {
  products: Product[]
  /** The first picture is the largest of the first view. */
  priority?: boolean
  /** How deep the names stand among the headings of the page. */
  heading?: 'h2' | 'h3'
  /** Beside each other where there is room, or always one under the other. */
  arrangement?: 'columns' | 'rows'
}

export function ProductGrid({ products, priority, heading, arrangement = 'columns' }: ProductGridProps) {
  const [isAwake, setIsAwake] = useState(false)
  // What is left is asked for when somebody turns to the cards: most pages that show them are only read.
  const lures = useLiveStock(products, { isWanted: isAwake })
  const wake = () => setIsAwake(true)
  const largest = lures.find((product) => cardPictures(product).length > 0)

  if (products.length === 0) return <EmptyBench />
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Nothing depends on these listeners.
    <div
      className={classNames(styles.grid, styles[arrangement])}
      onPointerEnter={wake}
      onTouchStart={wake}
      onFocus={wake}
    >
      {lures.map((product) => (
        <ProductCard
          key={product.id}
          product={product}
          priority={priority && product === largest}
          heading={heading}
        />
      ))}
    </div>
  )
}

function EmptyBench() {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>The bench is empty</p>
      <p>
        Everything we made is out on the water. New lures are drying: write to{' '}
        <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a> and we will tell you when they are
        ready.
      </p>
    </div>
  )
}
