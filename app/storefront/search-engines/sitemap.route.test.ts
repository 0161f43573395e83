import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { RouterContextProvider } from 'react-router'
import { expect, it } from 'vitest'
import { pageContext, supabaseContext } from '#server/context.ts'
import type { Route } from './+types/sitemap.route'
import { loader } from './sitemap.route.ts'

const product = {
  slug: 'rod&reel',
  image_url: 'data:image/svg+xml,<svg id="a&b"/>',
  updated_at: '2026-11-01T08:00:00+00:00',
  product_variants: [],
}

/** A client whose only product has a name and a picture with characters that XML reserves. */
const visitor = createClient<ShopDatabase>('http://shop.example', 'key', {
  global: { fetch: () => Promise.resolve(Response.json([product])) },
})

it('escapes the characters that XML reserves in addresses of the sitemap', async () => {
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
  const text = await (await loader(args as Route.LoaderArgs)).text()

  expect(text).toContain('<loc>https://shop.example/products/rod&amp;reel</loc>')
  expect(text).toContain('<image:loc>data:image/svg+xml,&lt;svg id="a&amp;b"/&gt;</image:loc>')
})
