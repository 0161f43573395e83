import { shop } from '#shop'
import { cachedCatalogue } from '../catalogue/cached-catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { shopJsonLd } from '../structured-data/shop-json-ld.ts'
import type { Route } from './+types/route'
import { CategoryIndex } from './category-index.tsx'
import { Experience } from './experience.tsx'
import { Hero } from './hero.tsx'
import { FeaturedProducts } from './featured-products.tsx'
import { useReturnAfterSignIn } from './use-return-after-sign-in.ts'

/** Four rows of three. */
const MAX_PRODUCTS = 12

export async function loader({ context }: Route.LoaderArgs) {
  const catalogue = cachedCatalogue(context)
  const [products, { categories }] = await Promise.all([
    catalogue.listProducts({ limit: MAX_PRODUCTS }),
    catalogue.describeCatalogue(),
  ])
  return { products, categories }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    description: shop.description,
    path: '/',
    matches,
    jsonLd: import.meta.env.SSR ? shopJsonLd : undefined,
  })

export default function Home({ loaderData: { products, categories } }: Route.ComponentProps) {
  useReturnAfterSignIn()
  return (
    <>
      <Hero />
      <FeaturedProducts products={products} />
      <CategoryIndex categories={categories} />
      <Experience />
    </>
  )
}
