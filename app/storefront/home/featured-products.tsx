import { Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import type { Product } from '#domain/catalogue.ts'
import { ArrowRight } from 'lucide-react'

export function FeaturedProducts({ products }: { products: Product[] }) {
  return (
    <Stack as="section" contained gap={6} block={9} id="products" aria-labelledby="our-range">
      <Row gap={3} columnGap={5} align="end" justify="between" wrap>
        <Text as="h2" size="title-xl" id="our-range">
          Our Range
        </Text>
        <Row as={Link} inline gap={2} tone="ink" weight={650} touch to="/products">
          View All <ArrowRight size={20} aria-hidden />
        </Row>
      </Row>
      <ProductGrid products={products} />
    </Stack>
  )
}
