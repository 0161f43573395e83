import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { RouterContextProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
import { supabaseContext } from '#server/context.ts'
import type { Route } from './+types/route'
import { loader } from './route.tsx'

const broken = createClient<ShopDatabase>('http://shop.example', 'key', {
  global: { fetch: () => Promise.resolve(new Response('{"message":"down"}', { status: 400 })) },
})

// covers S8.20
it('shows an empty gallery and logs the error when the photos do not load', async () => {
  const logError = vi.spyOn(console, 'error').mockImplementation(() => {})
  const context = new RouterContextProvider()
  context.set(supabaseContext, broken)
  const args: Pick<Route.LoaderArgs, 'context' | 'request'> = {
    context,
    request: new Request('http://shop.example/gallery'),
  }

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The loader uses nothing else.
  expect(await loader(args as Route.LoaderArgs)).toEqual({ catches: [], hasNext: false, page: 1, lures: [] })
  expect(logError).toHaveBeenCalledWith('the gallery could not be loaded', expect.anything())
})
