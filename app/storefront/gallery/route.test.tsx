import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { RouterContextProvider } from 'react-router'
import { beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import { supabaseContext } from '#server/context.ts'
import { renderText } from '#test/render-page.tsx'
import type { Route } from './+types/route'
import Gallery, { loader } from './route.tsx'

const broken = createClient<ShopDatabase>('http://shop.example', 'key', {
  global: { fetch: () => Promise.resolve(new Response('{"message":"down"}', { status: 400 })) },
})

let logError: MockInstance

beforeEach(() => {
  logError = vi.spyOn(console, 'error').mockImplementation(() => {})
})

/** Loads an address while the database refuses all reads. */
function loadBroken(path: string) {
  const context = new RouterContextProvider()
  context.set(supabaseContext, broken)
  const args: Pick<Route.LoaderArgs, 'context' | 'request'> = {
    context,
    request: new Request(`http://shop.example${path}`),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The loader uses nothing else.
  return loader(args as Route.LoaderArgs)
}

// covers S8.20
it.each(['/gallery', '/gallery?page=2'])(
  'logs that the photos of %s did not load, and shows the page with a status that is neither cached nor indexed',
  async (path) => {
    const { data, init } = await loadBroken(path)

    expect(data).toMatchObject({ catches: null, hasNext: false, lures: [] })
    expect(init?.status).toBe(503)
    expect(logError).toHaveBeenCalledWith('the gallery could not be loaded', expect.anything())
  },
)

it('does not call a gallery empty whose photos did not load', async () => {
  const { data: loaderData } = await loadBroken('/gallery')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page uses nothing else.
  const props = { loaderData } as unknown as Route.ComponentProps

  const text = renderText(<Gallery {...props} />)

  expect(text).toContain("We couldn't load the photos just now.")
  expect(text).not.toContain('No photos are up yet')
})
