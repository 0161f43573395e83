import { shop } from '#shop'
import { cachedCatalogue } from '../cached-catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { shopItself } from '../search-engines/shop-itself.ts'
import type { Route } from './+types/route'
import { CategoryIndex } from './category-index.tsx'
import { Experience } from './experience.tsx'
import { Hero } from './hero.tsx'
import { OurRange } from './our-range.tsx'
import { useReturnAfterSignIn } from './use-return-after-sign-in.ts'

/** A row of three, four times over: the whole range while it is small, and what comes first of a large one. */
const SHOWN = 12

export async function loader({ context }: Route.LoaderArgs) {
  const catalogue = cachedCatalogue(context)
  const [products, { categories }] = await Promise.all([
    catalogue.listProducts({ atMost: SHOWN }),
    catalogue.describeCatalogue(),
  ])
  return { products, categories }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    description: shop.description,
    path: '/',
    matches,
    described: import.meta.env.SSR ? shopItself : undefined,
  })

export default function Home({ loaderData: { products, categories } }: Route.ComponentProps) {
  useReturnAfterSignIn()
  return (
    <>
      <Hero />
      <OurRange products={products} />
      <CategoryIndex categories={categories} />
      <Experience />
    </>
  )
}
