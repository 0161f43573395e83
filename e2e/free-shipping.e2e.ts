import { randomInt } from 'node:crypto'
import { expect, test } from './fixtures/journey.ts'

/** One cent decides: R1499.99 without hooks, R1500.00 with them. */
let lure: string
test.beforeAll(async ({ staff }) => {
  lure = `Trophy ${randomInt(1e9)}`
  const { error } = await staff
    .from('products')
    .insert({ name: lure, price: 1499.99, price_with_hooks: 1500, stock_quantity: 40, category: 'Trophies' })
  expect(error).toBeNull()
})
// The journeys that share this shop expect the range it was opened with.
test.afterAll(async ({ staff }) => {
  const { error } = await staff.from('products').update({ status: 'hidden' }).eq('name', lure)
  expect(error).toBeNull()
})

test('shipping is free at exactly R1500.00', async ({ angler }) => {
  await angler.choose({ lure, colour: 'Standard', hooks: 'With Hooks' })
  await angler.goToCheckout()

  await expect(angler.figure('Subtotal')).toHaveText(/^R1\s500\.00$/)
  await expect(angler.figure('Shipping')).toHaveText('Free')
  await angler.placeOrder()
  await expect(angler.page.getByRole('heading', { name: /^Pay R1\s500\.00$/ })).toBeVisible()
})

test('shipping costs R100 at R1499.99', async ({ angler }) => {
  await angler.choose({ lure, colour: 'Standard', hooks: 'Without Hooks' })
  await angler.goToCheckout()

  await expect(angler.page.getByText('Add R0.01 more for free shipping')).toBeVisible()
  await expect(angler.figure('Shipping')).toHaveText('R100.00')
  await angler.placeOrder()
  await expect(angler.page.getByRole('heading', { name: /^Pay R1\s599\.99$/ })).toBeVisible()
})
