import { useState } from 'react'
import { nextLaunch, useRefreshAtLaunch } from '#app/storefront/launch/use-refresh-at-launch.ts'
import { useLiveStock } from '#app/storefront/purchase/use-live-stock.ts'
import { Stack, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { cardPictures, type Product } from '#domain/catalogue.ts'
import { ProductCard } from './product-card.tsx'
import styles from './product-grid.module.css'

interface ProductGridProps {
  products: Product[]
  /** Loads the first picture with high priority: it is the largest paint of the page. */
  priority?: boolean
  heading?: 'h2' | 'h3'
  /** `columns` where there is room, or always `rows`. */
  arrangement?: 'columns' | 'rows'
}

export function ProductGrid({ products, priority, heading, arrangement = 'columns' }: ProductGridProps) {
  const [isActive, setIsActive] = useState(false)
  // Loads the current stock on first interaction, because most visitors only scroll past the cards.
  const lures = useLiveStock(products, { isEnabled: isActive })
  useRefreshAtLaunch(nextLaunch(products))
  const activate = () => setIsActive(true)
  const largest = lures.find((product) => cardPictures(product).length > 0)

  if (products.length === 0) return <EmptyCatalogue />
  return (
    <Stack
      gap={8}
      columnGap={6}
      className={styles[arrangement]}
      onPointerEnter={activate}
      onTouchStart={activate}
      onFocus={activate}
    >
      {lures.map((product) => (
        <ProductCard
          key={product.id}
          product={product}
          priority={priority && product === largest}
          heading={heading}
        />
      ))}
    </Stack>
  )
}

function EmptyCatalogue() {
  return (
    <Stack divided="around" gap={3} block={7}>
      <Text display size="title-m">
        No lures for sale right now
      </Text>
      <Text measure={52}>
        New lures are on their way. Write to <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a>{' '}
        and we'll tell you when they're ready.
      </Text>
    </Stack>
  )
}
