import { Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { Grid, Stack, Text } from '#app/ui/layout.tsx'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { findProducts } from '../catalogue/catalogue.server.ts'
import { cachedCatalogue } from '../catalogue/cached-catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
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

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Collections',
    description: `The lures of ${shop.name} by category: every size and colour we make.`,
    path: '/collections',
    matches,
  })

export default function Collections({ loaderData: { collections } }: Route.ComponentProps) {
  return (
    <Text as="div" contained="page">
      <h1 className={styles.title}>Collections</h1>
      {collections.length === 0 && <ProductGrid products={[]} />}
      {collections.map(({ name, count, products }) => (
        <Stack as="section" gap={5} key={name} className={styles.collection} aria-label={name}>
          <h2 className={styles.category}>{name}</h2>
          <Grid columns="minmax(0, 1fr)" gap={6}>
            <ProductGrid products={products} arrangement="rows" />
            {count > products.length && (
              <Link className={styles.all} to={`/products?${new URLSearchParams({ type: name })}`}>
                All {count} {name}
              </Link>
            )}
          </Grid>
        </Stack>
      ))}
    </Text>
  )
}
