import { putInCart } from '#test/shopping.ts'
import { PASSWORD } from './fixtures/angler.ts'
import { POPPER_150, POPPER_200 } from '#test/product-names.ts'
import { signUpCustomer } from './fixtures/customer.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { signInAs } from './fixtures/signed-in.ts'

const ITEMS = /\/rest\/v1\/(cart_items|rpc\/merge_cart)/

test('a customer’s cart merges guest lines, is cleared and restored, and reports unsaved changes', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const customer = await signUpCustomer(shop)
  await putInCart(customer, {
    product_name: POPPER_150,
    product_variant: 'Mahi Mahi 150mm',
    price: 142,
    quantity: 1,
    with_hooks: true,
    image_url: '/storage/v1/object/public/catalogue/popper-150-mahi-mahi.jpg',
  })
  const drawer = page.getByRole('dialog', { name: /Shopping Cart/ })
  const alert = page.getByRole('alert')
  const mahiMahi = drawer.getByRole('listitem').filter({ hasText: POPPER_150 })
  const clear = drawer.getByRole('button', { name: 'Clear cart' })

  // covers S1.3 S4.7 S23
  await test.step('a guest cart is merged into the account’s cart once at sign-in', async () => {
    await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm', quantity: 2 })
    await angler.putInCart({ lure: POPPER_200, colour: 'Slachback 200mm', hooks: 'Without Hooks' })
    await page.goto('/auth')
    await angler.signIn({ email: customer.email, password: PASSWORD })
    await page.reload()

    await angler.openCart()
    await expect(drawer).toContainText('Shopping Cart (4 items)')
    await expect(mahiMahi).toContainText('R426.00')
    await expect(drawer.getByRole('listitem').filter({ hasText: POPPER_200 })).toContainText('R140.00')
    const storedCart = await page.evaluate(() => localStorage.getItem('guest_cart_items'))
    expect(storedCart === null || storedCart === '[]').toBe(true)
    await expect(drawer.getByRole('link', { name: 'Proceed to Checkout' })).toHaveAttribute(
      'href',
      '/checkout',
    )
  })

  // covers S4.11 S19
  await test.step('Clear cart empties the cart, Undo restores every line, and a failure is reported', async () => {
    await clear.click()
    await expect(drawer).toContainText('Your cart is empty')
    await expect(drawer.getByRole('status').filter({ hasText: 'Cart cleared' })).toBeVisible()
    await drawer.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(drawer).toContainText('Shopping Cart (4 items)')
    await expect(drawer.getByRole('listitem').first()).toContainText(POPPER_200)
    await expect.poll(() => drawer.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await page.goto('/products')
    await angler.openCart()
    await expect(drawer).toContainText('Shopping Cart (4 items)')
    // The page that was left may have handed over lines that the shop has not confirmed.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('guest_cart_items'))).toBeNull()

    await intercept(page, ITEMS, (route) => route.fulfill({ status: 503, json: { message: 'down' } }))
    await clear.click()
    await expect(drawer.getByRole('alert')).toContainText('Failed to clear cart')
    await expect(drawer).toContainText('Shopping Cart (4 items)')
  })

  // covers S2.20 S2.22 S8.1 S8.2
  await test.step('a customer’s cart shows a message while loading and when loading or saving fails', async () => {
    await mahiMahi.getByRole('button', { name: 'Increase quantity' }).click()
    await expect(alert).toContainText('Failed to update quantity')
    await mahiMahi
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await expect(alert).toContainText('Failed to remove item')
    await drawer.getByRole('button', { name: 'Close' }).click()
    const card = page.getByRole('article', { name: POPPER_150 })
    await card.getByRole('button', { name: 'Slachback 150mm', exact: true }).click()
    await card.getByRole('button', { name: 'With Hooks', exact: true }).click()
    await card.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(alert).toContainText('Failed to add item to cart')

    await page.reload()
    await expect(alert).toContainText('Error loading cart')
    await expect(alert).toContainText('Failed to load your cart items')

    await page.unroute(ITEMS)
    const releaseResponse = await holdResponses(page, ITEMS)
    await page.reload()
    await angler.openCart()
    await expect(drawer).toContainText('Loading cart...')
    await releaseResponse()
    await expect(mahiMahi).toContainText('Mahi Mahi 150mm')
    await drawer.getByRole('button', { name: 'Close' }).click()
  })

  // covers S23
  await test.step('a line added on a slow connection is in the cart even if the visitor leaves at once', async () => {
    const cards = [POPPER_150, POPPER_200].map((name) => page.getByRole('article', { name }))
    for (const card of cards) {
      await card.getByRole('button', { name: /^Blue Reaper/ }).click()
      await card.getByRole('button', { name: 'With Hooks', exact: true }).click()
    }
    // The first line's request never arrives, and the second line's request waits for it.
    await holdResponses(page, ITEMS, { method: 'POST', times: 1 })
    const sent = page.waitForRequest((request) => request.method() === 'POST' && ITEMS.test(request.url()))
    for (const card of cards) await card.getByRole('button', { name: 'Add to Cart' }).click()
    await sent
    await expect(page.getByRole('button', { name: 'Cart, 6 items' })).toBeVisible()
    await page.reload()

    await expect(page.getByRole('button', { name: 'Cart, 6 items' })).toBeVisible()
  })
})

test('a quantity that is typed while its line is being stored stays in the field', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const { client } = await signUpCustomer(shop)
  await signInAs(page, { shop, client })
  const loaded = page.waitForResponse(ITEMS)
  await openHydrated(page, '/products')
  await (await loaded).finished()
  const card = page.getByRole('article', { name: POPPER_200 })
  await card.getByRole('button', { name: 'Slachback 200mm', exact: true }).click()
  await card.getByRole('button', { name: 'With Hooks', exact: true }).click()
  const release = await holdResponses(page, ITEMS, { method: 'POST', times: 1 })
  await card.getByRole('button', { name: 'Add to Cart' }).click()
  const drawer = await angler.openCart()
  const quantity = drawer.getByRole('listitem').first().getByRole('spinbutton')

  await quantity.fill('5')
  const stored = page.waitForResponse(ITEMS)
  await release()
  await (await stored).finished()
  await afterTwoFrames(page)

  await expect(quantity).toHaveValue('5')
  await expect(quantity).toBeFocused()
})
