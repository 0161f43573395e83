import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { supabaseContext } from '#server/context.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import type { Route } from './+types/route'
import { loader } from './route.tsx'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
  await shop.database.owner.query(
    `insert into public.products (name, price, length_mm, position)
     select 'Lure number ' || n, 100, 100 + n, 10 + n from generate_series(1, 30) n`,
  )
})
afterAll(() => shop.close())

function load(query: string) {
  const context = new RouterContextProvider()
  context.set(supabaseContext, shop.client())
  const request = new Request(`http://shop.example/size-guide${query}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The loader uses nothing else.
  return loader({ context, request } as unknown as Route.LoaderArgs)
}

// covers S2.40 S10
it('lists every measured lure across pages and responds with 404 after the last', async () => {
  const [first, second] = await Promise.all([load(''), load('?page=2')])

  expect([first.hasNext, second.hasNext]).toEqual([true, false])
  expect(new Set([...first.lures, ...second.lures].map(({ name }) => name)).size).toBe(33)
  expect(second.lures.at(-1)).toMatchObject({ name: 'Lure number 30', lengthMm: 130 })
  await expect(load('?page=3')).rejects.toMatchObject({ init: { status: 404 } })
})
