import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { RouterContextProvider } from 'react-router'
import { expect, it } from 'vitest'
import { pageContext, supabaseContext } from '#server/context.ts'
import type { Route } from './+types/sitemap.route'
import { loader } from './sitemap.route.ts'

/** Its name and picture have characters that XML reserves. */
const product = {
  slug: 'rod&reel',
  image_url: 'data:image/svg+xml,<svg id="a&b"/>',
  updated_at: '2026-11-01T08:00:00+00:00',
  product_variants: [],
}

const EARLY = '2026-10-01T08:00:00+00:00'
const colour = { slug: 'red', image_url: null, updated_at: '2026-11-05T08:00:00+02:00' }

let found: object

/** A client that finds one product. */
const visitor = createClient<ShopDatabase>('http://shop.example', 'key', {
  global: { fetch: () => Promise.resolve(Response.json([found])) },
})

/** Returns the sitemap of a shop with this product only. */
async function sitemapOf(listed: object): Promise<string> {
  found = listed
  const context = new RouterContextProvider()
  context.set(supabaseContext, visitor)
  context.set(pageContext, {
    publicUrl: 'https://shop.example',
    publishableKey: '',
    isSimulated: false,
    givesOrdersAway: false,
    isCopy: false,
    hasMailbox: false,
    nonce: '',
  })
  const args: Pick<Route.LoaderArgs, 'context'> = { context }

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The loader uses nothing else.
  return (await loader(args as Route.LoaderArgs)).text()
}

it('escapes the characters that XML reserves in addresses of the sitemap', async () => {
  const text = await sitemapOf(product)

  expect(text).toContain('<loc>https://shop.example/products/rod&amp;reel</loc>')
  expect(text).toContain('<image:loc>data:image/svg+xml,&lt;svg id="a&amp;b"/&gt;</image:loc>')
})

it('tells search engines that pages of a lure and of the catalogue changed with the latest colour', async () => {
  const text = await sitemapOf({
    ...product,
    product_variants: [colour, { ...colour, slug: 'old', updated_at: EARLY }],
  })
  const changeOf = (path: string) =>
    new RegExp(`<loc>https://shop.example${path}</loc>\\s*<lastmod>(.*?)</lastmod>`).exec(text)?.[1]

  expect(changeOf('/products/rod&amp;reel')).toBe(colour.updated_at)
  expect(changeOf('/products/rod&amp;reel/red')).toBe(colour.updated_at)
  expect(changeOf('/products/rod&amp;reel/old')).toBe(product.updated_at)
  expect(changeOf('/products')).toBe(colour.updated_at)
})
