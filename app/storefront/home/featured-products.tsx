import { Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { Row, Text } from '#app/ui/layout.tsx'
import type { Product } from '#domain/catalogue.ts'
import { ArrowRight } from 'lucide-react'
import styles from './featured-products.module.css'

export function FeaturedProducts({ products }: { products: Product[] }) {
  return (
    <Text as="section" contained className={styles.featured} id="products" aria-labelledby="our-range">
      <Row gap={3} columnGap={5} align="end" justify="between" wrap className={styles.head}>
        <Text as="h2" size="title-xl" id="our-range">
          Our Range
        </Text>
        <Row as={Link} inline gap={2} tone="ink" weight={650} touch to="/products">
          View All <ArrowRight size={20} aria-hidden />
        </Row>
      </Row>
      <ProductGrid products={products} />
    </Text>
  )
}
