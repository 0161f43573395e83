import { ProductGrid } from '#app/storefront/product-card/product-grid.tsx'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { byCategory } from '#domain/catalogue.ts'
import type { Route } from './+types/route'
import styles from './collections.module.css'

export async function loader({ context }: Route.LoaderArgs) {
  return { products: await listProducts(context.get(supabaseContext)) }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Collections',
    description: `The lures of ${shop.name} by kind: every size and colour we make.`,
    path: '/collections',
    matches,
  })

export default function Collections({ loaderData: { products } }: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Collections</h1>
      {products.length === 0 && <ProductGrid products={[]} />}
      {byCategory(products).map(({ category, members }) => (
        <section key={category} className={styles.collection} aria-label={category}>
          <h2 className={styles.category}>{category}</h2>
          <ProductGrid products={members} arrangement="rows" />
        </section>
      ))}
    </div>
  )
}
