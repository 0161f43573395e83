import { expect, test } from './fixtures/journey.ts'
import { aLure, type Lure } from './fixtures/lure.ts'
import type { Locator, Page } from '@playwright/test'

const cardOf = (page: Page, lure: Lure) => page.getByRole('article', { name: lure.name })
const option = (within: Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' })

async function openCard(page: Page, lure: Lure): Promise<Locator> {
  await page.goto(`/products?q=${encodeURIComponent(lure.name)}`, { waitUntil: 'networkidle' })
  return cardOf(page, lure)
}

test('a card offers a sold-out colour’s notification instead of Add to Cart', async ({ page, staff }) => {
  const lure = await aLure(staff)
  await staff.from('product_variants').update({ stock_quantity: 0 }).eq('id', lure.amberId).throwOnError()
  const card = await openCard(page, lure)

  await option(card, /^Amber/).click()

  await expect(card.getByRole('button', { name: /^Add to Cart/ })).toHaveCount(0)
  await expect(card.getByRole('link', { name: 'Tell me when it is back' })).toHaveAttribute('href', /amber$/)
  await option(card, /^Blue/).click()
  await expect(card.getByRole('button', { name: /^Add to Cart/ })).toBeVisible()
})

test('a card counts what the cart holds, with and without hooks, and refuses more than the stock', async ({
  angler,
  staff,
}) => {
  const { page } = angler
  const lure = await aLure(staff)
  const card = await openCard(page, lure)
  await option(card, /^Blue/).click()
  await option(card, 'With Hooks').click()
  await option(card, 'Increase quantity').click()
  await card.getByRole('button', { name: /^Add to Cart/ }).click()
  await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()

  await option(card, 'Without Hooks').click()
  await card.getByRole('button', { name: /^Add to Cart/ }).click()

  await expect(page.getByRole('alert')).toContainText('Only 2 left')
  await expect(page.getByRole('alert')).toContainText(
    "Your cart already has 2 of Blue, and that's all we have.",
  )
  await expect(page.getByRole('banner').getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
})

test('a cart that asks for more than the stock shows the way to checkout as blocked until it is changed', async ({
  angler,
  staff,
}) => {
  const { page } = angler
  const lure = await aLure(staff)
  await page.goto('/auth')
  await angler.signUp()
  const card = await openCard(page, lure)
  await option(card, /^Amber/).click()
  await option(card, 'With Hooks').click()
  await card.getByRole('spinbutton', { name: 'Quantity' }).fill('4')
  await card.getByRole('button', { name: /^Add to Cart/ }).click()
  await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
  await staff.from('product_variants').update({ stock_quantity: 3 }).eq('id', lure.amberId).throwOnError()

  const drawer = await angler.openCart()
  await expect(drawer.getByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled()
  await expect(drawer).toContainText('Change or remove the marked lines to continue.')

  await page.goto('/checkout')
  await expect(angler.placeOrderButton).toBeDisabled()
  await expect(page.getByRole('region', { name: 'Order Summary' })).toContainText(
    'Change or remove the marked lines to continue.',
  )
  await page.getByRole('button', { name: 'Change to 3' }).click()
  await expect(angler.placeOrderButton).toBeEnabled()
})

test('the total, free shipping and the count of a cart leave out lines that are sold out or no longer sold', async ({
  angler,
  staff,
}) => {
  const { page } = angler
  const [kept, hidden] = [await aLure(staff), await aLure(staff)]
  for (const { id } of [kept, hidden])
    await staff.from('product_variants').update({ stock_quantity: 50 }).eq('product_id', id).throwOnError()
  await angler.choose({ lure: kept.name, colour: 'Amber', quantity: 2 })
  await angler.choose({ lure: kept.name, colour: 'Blue', quantity: 2 })
  await angler.choose({ lure: hidden.name, colour: 'Amber', quantity: 5 })
  await staff.from('products').update({ price_with_hooks: 800 }).eq('id', kept.id).throwOnError()
  await staff
    .from('product_variants')
    .update({ stock_quantity: 0 })
    .eq('product_id', kept.id)
    .eq('name', 'Blue')
    .throwOnError()
  await staff.from('products').update({ status: 'hidden' }).eq('id', hidden.id).throwOnError()

  const drawer = await angler.openCart()
  await expect(drawer).toContainText('Sold out in the meantime. Please remove it.')
  await expect(drawer).toContainText('No longer sold. Please remove it.')
  await expect(drawer).toContainText('Shopping Cart (2 items)')
  const total = drawer.getByText('Total', { exact: true }).locator('..')
  await expect(total).toHaveText(/^Total ?R1\s600\.00$/)
  await staff.from('product_variants').update({ stock_quantity: 0 }).eq('id', kept.amberId).throwOnError()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await angler.openCart()
  await expect(drawer).toContainText('Shopping Cart (0 items)')
  await expect(total).toHaveText(/^Total ?R0\.00$/)
  await expect(drawer).not.toContainText('Shipping is free')
  await expect(page.getByText('Your cart is empty')).toHaveCount(0)
})

test('Add to Cart without a colour leads to the colours, also from the bar at the bottom of a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/products/chisel-nose-popper-150', { waitUntil: 'networkidle' })
  await page.getByRole('heading', { name: 'More from the bench' }).scrollIntoViewIfNeeded()
  const bar = page.getByRole('group', { name: 'Buy' })
  const colours = page.getByRole('navigation', { name: 'Colours' })

  await bar.getByRole('button', { name: /^Add to Cart/ }).click()

  await expect(page.getByRole('alert')).toContainText('Please select a variant')
  await expect(colours.getByRole('link').first()).toBeFocused()
  await expect(colours).toBeInViewport()
})

test('hooks name what they add, the option without them names no price, and the badge names the price of what is chosen', async ({
  page,
}) => {
  await page.goto('/products', { waitUntil: 'networkidle' })
  const card = page.getByRole('article', { name: 'Slow Sinking Stick Bait (180mm/150G)' })

  await expect(card.getByText('+R100', { exact: true })).toBeVisible()
  await expect(option(card, 'Without Hooks')).toHaveText('Without Hooks')
  await expect(card.getByText('from R400', { exact: true })).toBeVisible()
  await option(card, 'With Hooks').click()
  await expect(card.getByText('R500', { exact: true })).toBeVisible()
})
