import { data, Link } from 'react-router'
import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { Grid, Text } from '#app/ui/layout.tsx'
import { filterChoices, parseCatalogueFilter, hasActiveFilter } from '#domain/catalogue-filter.ts'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { findProducts } from '../catalogue/catalogue.server.ts'
import { cachedCatalogue } from '../catalogue/cached-catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { PageLinks } from '../../ui/pagination/page-links.tsx'
import { pageAddress, parsePage } from '../../ui/pagination/page-number.ts'
import type { Route } from './+types/route'
import { OurStory } from '../reading/our-story.tsx'
import styles from './products.module.css'
import { CatalogueFilterForm } from './catalogue-filter.tsx'

/** Eight rows of three. */
const PAGE_SIZE = 24

export async function loader({ request, context }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams
  const query = params.get('q')?.trim().slice(0, 100) ?? ''
  const filter = parseCatalogueFilter(params)
  const page = parsePage(params)
  const visitor = context.get(supabaseContext)
  const catalogue = cachedCatalogue(context)
  const isNarrowed = query !== '' || hasActiveFilter(filter)
  const slice = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }

  const [summary, results] = await Promise.all([
    catalogue.describeCatalogue(),
    isNarrowed ? findProducts(visitor, { query, ...filter, ...slice }) : null,
  ])
  // A search without results shows the whole catalogue.
  const hasNoResults = results?.count === 0
  const products = results && !hasNoResults ? results.products : await catalogue.listProducts(slice)
  if (page > 1 && products.length === 0) throw data(null, { status: 404 })

  const pages = Math.ceil(
    (hasNoResults ? summary.productCount : (results?.count ?? summary.productCount)) / PAGE_SIZE,
  )
  const narrowed = results && { query, count: results.count }
  return {
    query,
    filter,
    choices: filterChoices(summary),
    productCount: summary.productCount,
    products,
    narrowed,
    page,
    pages,
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  // Further pages have their own address; search results use that of the catalogue.
  const page = loaderData?.narrowed ? 1 : (loaderData?.page ?? 1)
  return pageMeta({
    title: page > 1 ? `Our Products, page ${page}` : 'Our Products',
    description: `Every lure we make at ${shop.name}: sizes, colours, prices and what is in stock today.`,
    path: pageAddress('/products', new URLSearchParams(), page),
    matches,
  })
}

export default function Products({ loaderData }: Route.ComponentProps) {
  const { query, filter, choices, productCount, products, narrowed, page, pages } = loaderData
  return (
    <>
      <Text as="section" contained="page">
        <Grid columns="minmax(0, 1fr)" gap={3} className={styles.head}>
          <Text as="h1" size="title-xl">
            Our Products
          </Text>
          {productCount > 1 && <CatalogueFilterForm filter={filter} choices={choices} query={query} />}
          <Text size="l" className={styles.result} role="status">
            {narrowed && <Result {...narrowed} />}
          </Text>
        </Grid>
        <ProductGrid products={products} priority heading="h2" />
        <PageLinks
          of="lures"
          path="/products"
          page={page}
          hasNext={page < pages}
          text={`Page ${page} of ${pages}`}
        />
      </Text>
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
  if (count > 0) return query ? `${lures} for “${query}”.` : `${lures} ${count === 1 ? 'matches' : 'match'}.`
  return query
    ? `Nothing found for “${query}”. Here is the whole range:`
    : 'Nothing matches all of that. Here is the whole range:'
}
