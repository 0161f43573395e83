import type { ShopClient } from '#database'
import { data, redirect } from 'react-router'
import { productPath } from '../paths.ts'

interface GoneLure {
  goneLure: string
}

/**
 * Returns the response for an address without a product: a permanent redirect to the new address, 410 with the name of a
 * discontinued product, or 404.
 */
export async function redirectFormerAddress(
  visitor: ShopClient,
  { slug, colour }: { slug: string; colour?: string | undefined },
) {
  const result = await visitor.rpc('find_former_address', {
    product_slug: slug,
    variant_slug: colour ?? null,
  })
  if (result.error) throw result.error

  const [former] = result.data
  if (former?.is_gone) return data({ goneLure: former.name } satisfies GoneLure, { status: 410 })
  if (!former?.slug) return data(null, { status: 404 })
  return redirect(productPath({ slug: former.slug }, former.colour ? { slug: former.colour } : null), 301)
}
