import { randomInt } from 'node:crypto'
import { expect, test } from './fixtures/journey.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import { acceptTerms, openCheckout, riggedPopper } from './fixtures/signed-in.ts'

/** The lure costs R1499.99 without hooks and R1500.00 with them. */
let lure: string
test.beforeAll(async ({ staff }) => {
  lure = `Trophy ${randomInt(1e9)}`
  const { error } = await staff
    .from('products')
    .insert({ name: lure, price: 1499.99, price_with_hooks: 1500, stock_quantity: 40, category: 'Trophies' })
  expect(error).toBeNull()
})
// Other journeys in this shop expect its initial catalogue.
test.afterAll(async ({ staff }) => {
  const { error } = await staff.from('products').update({ status: 'hidden' }).eq('name', lure)
  expect(error).toBeNull()
})

// covers S20
test('shipping costs R100 one cent below the limit and is free at the limit', async ({ angler, shop }) => {
  const { page } = angler
  const line = { ...riggedPopper, product_name: lure, product_variant: 'Standard' }
  const without = { ...line, price: 1499.99, with_hooks: false }
  const { userId } = await openCheckout(page, { shop, lines: [without] })

  // covers S9.3
  await test.step('shipping costs R100 at a subtotal of R1499.99', async () => {
    await expect(page.getByText('Add R0.01 more for free shipping')).toBeVisible()
    await expect(angler.figure('Shipping')).toHaveText('R100.00')
    await acceptTerms(page)
    await angler.placeOrder()
    await expect(page.getByRole('heading', { name: /^Pay R1\s599\.99$/ })).toBeVisible()
  })

  // covers S9.2
  await test.step('shipping is free at a subtotal of exactly R1500.00', async () => {
    const rigged = 'update public.cart_items set with_hooks = true, price = 1500 where user_id = $1'
    await queryDatabase(shop, rigged, [userId])
    await page.goto('/checkout')
    await expect(angler.figure('Subtotal')).toHaveText(/^R1\s500\.00$/)
    await expect(angler.figure('Shipping')).toHaveText('Free')
    await acceptTerms(page)
    await angler.placeOrder()
    await expect(page.getByRole('heading', { name: /^Pay R1\s500\.00$/ })).toBeVisible()
  })
})
