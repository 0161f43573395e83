import { expect, it } from 'vitest'
import { shop } from '#shop'
import * as data from './data/route.tsx'
import * as details from './details/route.tsx'
import * as order from './order/route.tsx'
import type { Route } from './orders/+types/route'
import * as orders from './orders/route.tsx'
import * as security from './security/route.tsx'

/** The title of the customer's orders at this query. */
function ordersTitle(search: string) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The function reads nothing else.
  const args = { location: { search } } as Route.MetaArgs
  return orders.meta(args)?.[0]
}

// Screen readers announce the title when the page changes.
it('gives each page of the account its own title', () => {
  const titles = [data, details, order, security].map(({ meta }) => meta()[0])

  expect([ordersTitle(''), ...titles]).toEqual(
    ['My orders', 'Data and privacy', 'My details', 'My order', 'Sign-in and security'].map((title) => ({
      title: `${title} – ${shop.name}`,
    })),
  )
})

it('names the page of the orders in their title', () => {
  expect(ordersTitle('?page=2')).toEqual({ title: `My orders, page 2 – ${shop.name}` })
})
