import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { shopItself } from '../search-engines/shop-itself.ts'
import type { Route } from './+types/route'
import { CategoryIndex } from './category-index.tsx'
import { Experience } from './experience.tsx'
import { Hero } from './hero.tsx'
import { OurRange } from './our-range.tsx'
import { useReturnAfterSignIn } from './use-return-after-sign-in.ts'

export async function loader({ context }: Route.LoaderArgs) {
  return { products: await listProducts(context.get(supabaseContext)) }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    description: shop.description,
    path: '/',
    matches,
    described: import.meta.env.SSR ? shopItself : undefined,
  })

export default function Home({ loaderData: { products } }: Route.ComponentProps) {
  useReturnAfterSignIn()
  return (
    <>
      <Hero />
      <OurRange products={products} />
      <CategoryIndex products={products} />
      <Experience />
    </>
  )
}
