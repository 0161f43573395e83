import type { ShopClient } from '#database'
import { data, redirect } from 'react-router'
import { z } from 'zod'
import { productPath } from '../paths.ts'

const formerAddress = z.object({
  slug: z.string().nullable(),
  colour: z.string().nullable(),
  name: z.string(),
  is_gone: z.boolean(),
})

/** What the visitor reads of a lure that is no longer made. */
export interface GoneLure {
  goneLure: string
}

/**
 * The answer for an address that leads to no lure: a redirect for good to where it is now, 410 with its name when it is no
 * longer made, 404 when there never was one.
 */
export async function elsewhere(
  visitor: ShopClient,
  { slug, colour }: { slug: string; colour?: string | undefined },
) {
  const answer = await visitor.rpc('find_former_address', {
    product_slug: slug,
    variant_slug: colour ?? null,
  })
  if (answer.error) throw answer.error

  const [former] = formerAddress.array().parse(answer.data)
  if (former?.is_gone) return data({ goneLure: former.name } satisfies GoneLure, { status: 410 })
  if (!former?.slug) return data(null, { status: 404 })
  return redirect(productPath({ slug: former.slug }, former.colour ? { slug: former.colour } : null), 301)
}
