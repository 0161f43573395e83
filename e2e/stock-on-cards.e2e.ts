import { putInCart, stickBait } from '#test/shopping.ts'
import { PASSWORD } from './fixtures/angler.ts'
import { signUpCustomer, type Customer } from './fixtures/customer.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdAnswer } from './fixtures/hold-answer.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure, type Lure } from './fixtures/lure.ts'

test('a product card sells no more than the stock', async ({ page, staff }) => {
  const lure = await aLure(staff)
  await staff.from('product_variants').update({ stock_quantity: 0 }).eq('id', lure.amberId).throwOnError()
  await openHydrated(page, `/products?q=${encodeURIComponent(lure.name)}`)
  const card = page.getByRole('article', { name: lure.name })
  const option = (name: string | RegExp) =>
    card.getByRole('button', { name, exact: typeof name === 'string' })
  const add = card.getByRole('button', { name: /^Add to Cart/ })

  // covers S8
  await test.step('a product card offers a stock alert for a sold-out colour instead of Add to Cart', async () => {
    await option(/^Amber/).click()

    await expect(add).toHaveCount(0)
    await expect(card.getByRole('link', { name: 'Tell me when it is back' })).toHaveAttribute(
      'href',
      /amber$/,
    )
    await option(/^Blue/).click()
    await expect(add).toBeVisible()
  })

  await test.step('a product card counts lures in the cart and rejects more than the stock', async () => {
    await option('With Hooks').click()
    await option('Increase quantity').click()
    await add.click()
    await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()

    await option('Without Hooks').click()
    await add.click()

    await expect(page.getByRole('alert')).toContainText('Only 2 left')
    await expect(page.getByRole('alert')).toContainText(
      "Your cart already has 2 of Blue, and that's all we have.",
    )
    await expect(page.getByRole('banner').getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
  })

  // covers S8
  await test.step('the page of a sold-out lure cannot add it to the cart before a colour is chosen either', async () => {
    await staff
      .from('product_variants')
      .update({ stock_quantity: 0 })
      .eq('product_id', lure.id)
      .throwOnError()
    await openHydrated(page, `/products/${lure.slug}`)

    await expect(page.getByRole('button', { name: 'Sold out' })).toBeDisabled()
    await expect(page.getByText('Choose a colour, and we can tell you when it is back.')).toBeVisible()
    await page.getByRole('link', { name: /Amber/ }).click()
    await expect(page.getByRole('button', { name: 'Tell me when it is back' })).toBeVisible()
  })
})

test('a cart counts only available lines and blocks the checkout for more than the stock', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const [kept, hidden] = [await aLure(staff), await aLure(staff)]
  const setStock = (id: string, stock_quantity: number) =>
    staff.from('product_variants').update({ stock_quantity }).eq('id', id).throwOnError()
  const customer = await signUpCustomer(shop)
  await putLure(customer, kept, { colour: 'Amber', quantity: 2 })
  await putLure(customer, kept, { colour: 'Blue', quantity: 2 })
  await putLure(customer, hidden, { colour: 'Amber', quantity: 5 })
  await staff.from('products').update({ price_with_hooks: 800 }).eq('id', kept.id).throwOnError()
  await staff
    .from('product_variants')
    .update({ stock_quantity: 0 })
    .eq('product_id', kept.id)
    .eq('name', 'Blue')
    .throwOnError()
  await staff.from('products').update({ status: 'hidden' }).eq('id', hidden.id).throwOnError()
  await page.goto('/auth')
  await angler.signIn({ email: customer.email, password: PASSWORD })
  const drawer = await angler.openCart()

  await test.step('the total, free shipping and count of a cart ignore sold-out and hidden lures', async () => {
    await expect(drawer).toContainText('Sold out in the meantime. Please remove it.')
    await expect(drawer).toContainText('No longer sold. Please remove it.')
    await expect(drawer).toContainText('Shopping Cart (2 items)')
    const total = drawer.getByText('Total', { exact: true }).locator('..')
    await expect(total).toHaveText(/^Total ?R1\s600\.00$/)
    await drawer.getByRole('button', { name: 'Close' }).click()
    const release = await holdAnswer(page, '/rpc/quote_cart', () => angler.openCart())
    await drawer.getByRole('button', { name: 'Close' }).click()
    await setStock(kept.amberId, 0)
    await angler.openCart()
    await expect(drawer).toContainText('Shopping Cart (0 items)')
    // An answer from before does not put it on sale again.
    await release()
    await afterTwoFrames(page)
    await expect(total).toHaveText(/^Total ?R0\.00$/)
    await expect(drawer).not.toContainText('Shipping is free')
    await expect(page.getByText('Your cart is empty')).toHaveCount(0)
  })

  await test.step('a cart says when a lure that was announced again goes on sale', async () => {
    await staff
      .from('products')
      .update({ status: 'announced', publish_at: '2099-11-24T17:00:00Z' })
      .eq('id', hidden.id)
      .throwOnError()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await angler.openCart()
    await expect(drawer).toContainText('On sale from Tuesday 24 November at 19:00. Please remove it for now.')
  })

  await test.step('a cart with more than the stock disables the checkout until the cart is changed', async () => {
    await customer.client.from('cart_items').delete().neq('product_variant', 'Amber').throwOnError()
    await customer.client.from('cart_items').delete().eq('product_name', hidden.name).throwOnError()
    await setStock(kept.amberId, 1)
    const releaseCart = await holdResponses(page, '**/rest/v1/cart_items*')
    await page.reload()
    await angler.openCart()
    await expect(drawer).toContainText('Loading cart...')
    await releaseCart()
    await expect(drawer.getByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled()
    await expect(drawer).toContainText('Change or remove the marked lines to continue.')

    await page.goto('/checkout')
    await expect(angler.placeOrderButton).toBeDisabled()
    await expect(page.getByRole('region', { name: 'Order Summary' })).toContainText(
      'Change or remove the marked lines to continue.',
    )
    await page.getByRole('button', { name: 'Change to 1' }).click()
    await expect(angler.placeOrderButton).toBeEnabled()
  })

  await test.step('screen readers hear that an order is placed, and a refusal that disables the button moves the focus to the lines', async () => {
    await angler.fillDelivery()
    await setStock(kept.amberId, 0)
    const release = await holdResponses(page, '**/rpc/place_order*')
    await angler.placeOrderButton.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'Placing your order.' })).toHaveCount(1)
    await release()
    await expect(page.getByText('Sold out in the meantime.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Items in your order' })).toBeFocused()
  })

  await test.step('the checkout shows no price when every line is sold out', async () => {
    await expect(angler.placeOrderButton).toHaveText('Place Order')
    await expect(page.getByText('R100.00')).toHaveCount(0)
  })
})

/** Adds a lure with hooks at its current price. */
function putLure(
  customer: Customer,
  { name }: Lure,
  { colour, quantity }: { colour: string; quantity: number },
) {
  return putInCart(customer, {
    ...stickBait,
    product_name: name,
    product_variant: colour,
    price: 120,
    quantity,
  })
}
