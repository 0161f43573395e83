import { expect, it } from 'vitest'
import { deliveryDates } from '#domain/delivery-promise.ts'
import { renderText } from '#test/render-page.tsx'
import { DeliveryPromises } from '../product/delivery-promises.tsx'
import { shippingTexts } from './shipping-terms.ts'

const terms = { flatCents: 99_50, freeFromCents: 1249_90, offersLocker: true }

it('writes shipping rates in rand, with two digits for cents', () => {
  expect(shippingTexts(terms)).toEqual({ flatRate: 'R99.50', freeFrom: 'R1249.90' })
  expect(shippingTexts({ ...terms, flatCents: 100_00, freeFromCents: 1500_00 })).toEqual({
    flatRate: 'R100',
    freeFrom: 'R1500',
  })
})

it('writes the shipping rates with two digits for cents on the product page', () => {
  const promises = <DeliveryPromises dates={deliveryDates(new Date())} stock="in-stock" />

  expect(renderText(promises, { terms })).toContain(
    'R99.50 to a locker or your door, free on orders from R1249.90.',
  )
})
