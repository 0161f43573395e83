import { Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { matchesSearch } from '#domain/catalogue.ts'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import type { Route } from './+types/route'
import { OurStory } from '../our-story/our-story.tsx'
import styles from './products.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams.get('q')?.trim().slice(0, 100) ?? ''
  const products = await listProducts(context.get(supabaseContext))
  return { query, products, found: products.filter((product) => matchesSearch(product, query)) }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Our Products',
    description: `Every lure we make at ${shop.name}: sizes, colours, prices and what is in stock today.`,
    path: '/products',
    matches,
  })

export default function Products({ loaderData: { query, products, found } }: Route.ComponentProps) {
  const isMissed = found.length === 0 && products.length > 0
  return (
    <>
      <section className={styles.range}>
        <div className={styles.head}>
          <h1 className={styles.title}>Our Products</h1>
          {query && <SearchResult query={query} count={found.length} />}
        </div>
        {/* A search that finds nothing still shows what there is. */}
        <ProductGrid key={query} products={isMissed ? products : found} priority heading="h2" />
      </section>
      <OurStory />
    </>
  )
}

function SearchResult({ query, count }: { query: string; count: number }) {
  return (
    <p className={styles.result} role="status">
      {count === 0
        ? `Nothing here is called “${query}”. This is the whole range:`
        : `${count} ${count === 1 ? 'lure' : 'lures'} for “${query}”.`}{' '}
      <Link to="/products">Clear search</Link>
    </p>
  )
}
