import { Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { Grid, Row, Stack, Text } from '#app/ui/layout.tsx'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { findProducts } from '../catalogue/catalogue.server.ts'
import { cachedCatalogue } from '../catalogue/cached-catalogue.server.ts'
import { listed } from '../page-meta.ts'
import type { Route } from './+types/route'
import styles from './collections.module.css'

/** Larger categories link to the rest. */
const MAX_PER_CATEGORY = 12

export async function loader({ context }: Route.LoaderArgs) {
  const visitor = context.get(supabaseContext)
  const { categories } = await cachedCatalogue(context).describeCatalogue()
  const collections = categories.map(async ({ name }) => ({
    name,
    ...(await findProducts(visitor, { type: name, limit: MAX_PER_CATEGORY })),
  }))
  return { collections: await Promise.all(collections) }
}

export const meta = listed({
  title: 'Collections',
  description: `The lures of ${shop.name} by category: every size and colour we make.`,
  path: '/collections',
})

export default function Collections({ loaderData: { collections } }: Route.ComponentProps) {
  return (
    <Text as="div" contained="page">
      <Text as="h1" size="title-xl" below={6}>
        Collections
      </Text>
      {collections.length === 0 && <ProductGrid products={[]} />}
      {collections.map(({ name, count, products }) => (
        <Stack
          as="section"
          divided="strong"
          gap={5}
          block={[4, 8]}
          key={name}
          className={styles.collection}
          aria-label={name}
        >
          <Text as="h2" size="title-l">
            {name}
          </Text>
          <Grid columns="minmax(0, 1fr)" gap={6}>
            <ProductGrid products={products} arrangement="rows" />
            {count > products.length && (
              <Row as={Link} touch weight={650} to={`/products?${new URLSearchParams({ type: name })}`}>
                All {count} {name}
              </Row>
            )}
          </Grid>
        </Stack>
      ))}
    </Text>
  )
}
