import { createClient } from '@supabase/supabase-js'
import { RouterContextProvider } from 'react-router'
import { expect, it } from 'vitest'
import type { ShopDatabase } from '#database'
import { deliveryDates } from '#domain/delivery-promise.ts'
import { todayInSouthAfrica } from '#domain/today.ts'
import { defaultShippingTerms } from '#domain/pricing.ts'
import { supabaseContext } from '#server/context.ts'
import { shop } from '#shop'
import { renderText } from '#test/render-page.tsx'
import Faq from '../faq/route.tsx'
import { DeliveryPromises } from '../product/delivery-promises.tsx'
import ShippingReturns from '../shipping-returns/route.tsx'
import TermsOfService from '../terms-of-service/route.tsx'
import { loadShippingTerms } from './shipping-terms.server.ts'
import { shippingTexts } from './shipping-terms.ts'

const terms = { flatCents: 99_50, freeFromCents: 1249_90, offersLocker: true }

it('writes shipping rates in rand, with two digits for cents', () => {
  expect(shippingTexts(terms)).toMatchObject({ flatRate: 'R99.50', freeFrom: 'R1249.90' })
  expect(shippingTexts({ ...terms, flatCents: 100_00, freeFromCents: 1500_00 })).toMatchObject({
    flatRate: 'R100',
    freeFrom: 'R1500',
  })
})

const promises = <DeliveryPromises dates={deliveryDates(todayInSouthAfrica(new Date()))} stock="in-stock" />

it('writes the shipping rates with two digits for cents on the product page', () => {
  expect(renderText(promises, { terms })).toContain(
    'R99.50 to a locker or your door, free on orders from R1249.90.',
  )
})

it('promises no locker in the description of the shop, which is the same with every setting', () => {
  expect(shop.description).not.toContain('locker')
})

it.each([
  { page: promises, before: 'R99.50 to', places: 'a locker or your door, free on orders from' },
  { page: <ShippingReturns />, before: 'R99.50 to', places: 'a locker or your door, free on orders from' },
  {
    page: <Faq />,
    before: 'anywhere in South Africa,',
    places: 'to a locker or to your door. From R1249.90',
  },
  {
    page: <TermsOfService />,
    before: 'Shipping is R99.50,',
    places: 'to a locker or to your door, and free',
  },
])('names lockers after “$before” only while the settings offer them', ({ page, before, places }) => {
  expect(renderText(page, { terms })).toContain(`${before} ${places}`)
  expect(renderText(page, { terms: { ...terms, offersLocker: false } })).toContain(
    `${before} ${places.replace(/(to )?a locker or /, '')}`,
  )
})

it('names no locker in the terms of service while the settings offer none', () => {
  expect(renderText(<TermsOfService />, { terms: { ...terms, offersLocker: false } })).not.toMatch(/locker/i)
})

it('explains lockers on Shipping & Returns only while the settings offer them', () => {
  const text = renderText(<ShippingReturns />, { terms: { ...terms, offersLocker: false } })

  expect(renderText(<ShippingReturns />, { terms })).toContain('Locker or door For a locker, tell us')
  expect(text).not.toMatch(/locker/i)
  expect(text).toContain('Delivery to your door For your door, we need a street address')
})

/** Loads the terms from a shop that answers like this. */
function loadFrom(answer: () => Response) {
  const context = new RouterContextProvider()
  const fetch = () => Promise.resolve(answer())
  context.set(
    supabaseContext,
    createClient<ShopDatabase>('http://shop.example', 'key', { global: { fetch } }),
  )
  return loadShippingTerms(context)
}

it('reads the shipping terms in the settings', async () => {
  const settings = { shipping_rate: 99.5, free_shipping_from: 1249.9, offers_locker: false }

  expect(await loadFrom(() => Response.json(settings))).toEqual({ ...terms, offersLocker: false })
})

it('falls back to the configured shipping terms while the database cannot be reached', async () => {
  expect(await loadFrom(() => Response.json({ message: 'down' }, { status: 400 }))).toEqual(
    defaultShippingTerms,
  )
})
