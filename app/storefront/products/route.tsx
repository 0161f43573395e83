import { Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { matchesSearch } from '#domain/catalogue.ts'
import { filterChoices, filterFrom, fits, isFiltering } from '#domain/range-filter.ts'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import type { Route } from './+types/route'
import { OurStory } from '../our-story/our-story.tsx'
import styles from './products.module.css'
import { RangeFilterForm } from './range-filter.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams
  const query = params.get('q')?.trim().slice(0, 100) ?? ''
  const filter = filterFrom(params)
  const products = await listProducts(context.get(supabaseContext))
  const found = products.filter((product) => matchesSearch(product, query) && fits(product, filter))
  return { query, filter, choices: filterChoices(products), products, found }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Our Products',
    description: `Every lure we make at ${shop.name}: sizes, colours, prices and what is in stock today.`,
    path: '/products',
    matches,
  })

export default function Products({ loaderData }: Route.ComponentProps) {
  const { query, filter, choices, products, found } = loaderData
  const isMissed = found.length === 0 && products.length > 0
  const isNarrowed = query !== '' || isFiltering(filter)
  return (
    <>
      <section className={styles.range}>
        <div className={styles.head}>
          <h1 className={styles.title}>Our Products</h1>
          {products.length > 1 && <RangeFilterForm filter={filter} choices={choices} query={query} />}
          <p className={styles.result} role="status">
            {isNarrowed && <Result query={query} count={found.length} />}
          </p>
        </div>
        {/* A search that finds nothing still shows what there is. */}
        <ProductGrid products={isMissed ? products : found} priority heading="h2" />
      </section>
      <OurStory />
    </>
  )
}

function Result({ query, count }: { query: string; count: number }) {
  return (
    <>
      {resultText(query, count)} <Link to="/products">{query ? 'Clear search' : 'Clear filter'}</Link>
    </>
  )
}

function resultText(query: string, count: number): string {
  const lures = `${count} ${count === 1 ? 'lure' : 'lures'}`
  if (count > 0) return query ? `${lures} for “${query}”.` : `${lures} like this.`
  return query
    ? `Nothing here is called “${query}”. This is the whole range:`
    : 'No lure is all of this. This is the whole range:'
}
