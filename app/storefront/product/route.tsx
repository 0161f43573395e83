import { data } from 'react-router'
import { formatPrice } from '#domain/money.ts'
import { supabaseContext } from '#server/context.ts'
import { listProducts } from '../catalogue.server.ts'
import { pageMeta } from '../page-meta.ts'
import { productPath } from '../paths.ts'
import type { Route } from './+types/route'
import { BuyBox } from './buy-box.tsx'
import { Gallery } from './gallery.tsx'
import styles from './product.module.css'
import { RelatedLures } from './related-lures.tsx'
import { SpecsTable } from './specs-table.tsx'

/** The range of a workshop is short: one list brings the lure and those shown beside it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const products = await listProducts(context.get(supabaseContext))
  const product = products.find(({ slug }) => slug === params.slug)
  const variant = product?.variants.find(({ slug }) => slug === params.colour) ?? null
  if (!product || (params.colour && !variant)) throw data(null, { status: 404 })

  return { product, variant, related: products.filter(({ id }) => id !== product.id).slice(0, 3) }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return []
  const { product, variant } = loaderData
  return pageMeta({
    title: variant ? `${product.name} in ${variant.name}` : product.name,
    description: `${product.description} From ${formatPrice(product.priceCents)}.`,
    path: productPath(product, variant),
    matches,
  })
}

export default function ProductPage({ loaderData: { product, variant, related } }: Route.ComponentProps) {
  return (
    <>
      <div className={styles.spread}>
        <Gallery product={product} variant={variant} />
        <div className={styles.words}>
          {/* Another lure is another form; another colour of the same keeps hooks and quantity. */}
          <BuyBox key={product.id} product={product} variant={variant} />
          <SpecsTable product={product} />
        </div>
      </div>
      <RelatedLures products={related} />
    </>
  )
}
