import { PASSWORD, POPPER_150, POPPER_200 } from './fixtures/angler.ts'
import { expect, test } from './fixtures/journey.ts'

test('a guest cart joins the cart of the account at sign-in, once', async ({ angler }) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  await page.goto('/auth')
  await angler.signUp()
  await angler.signOut()

  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm', quantity: 2 })
  await angler.choose({ lure: POPPER_200, colour: 'Slachback 200mm', hooks: 'Without Hooks' })
  await page.goto('/auth')
  await angler.signIn({ email: angler.email, password: PASSWORD })
  await page.reload()

  const drawer = await angler.openCart()
  await expect(drawer).toContainText('Shopping Cart (4 items)')
  await expect(drawer.getByRole('listitem').filter({ hasText: POPPER_150 })).toContainText('R426.00')
  await expect(drawer.getByRole('listitem').filter({ hasText: POPPER_200 })).toContainText('R140.00')
  const kept = await page.evaluate(() => localStorage.getItem('guest_cart_items'))
  expect(kept === null || kept === '[]').toBe(true)
})

test('a guest cart survives a reload, and nonsense in the quantity changes nothing', async ({ angler }) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm', quantity: 3 })
  await page.reload()

  const drawer = await angler.openCart()
  const quantity = drawer.getByRole('spinbutton', { name: 'Quantity' })
  for (const nonsense of ['two', '0', '-1', '1.5']) {
    await quantity.fill(nonsense)
    await quantity.press('Enter')
    await expect(quantity).toHaveValue('3')
  }
})

test('the drawer takes the focus and gives it back; what was removed comes again', async ({ angler }) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_150, colour: 'Blue Reaper 150mm', quantity: 2 })
  const drawer = await angler.openCart()
  await expect.poll(() => drawer.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)

  await drawer
    .getByRole('button', { name: /^Remove .*, Blue Reaper/ })
    .last()
    .click()
  await expect(drawer).toContainText('Your cart is empty')
  await drawer.getByRole('button', { name: 'Undo' }).click()
  await expect(drawer).toContainText('Shopping Cart (2 items)')
  await page.keyboard.press('Escape')

  await expect(drawer).toBeHidden()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Cart, 2 items' })).toBeFocused()
})

test('Clear cart empties the cart, Undo brings every line back, and a failure is reported', async ({
  angler,
}) => {
  const { page } = angler
  await page.goto('/auth')
  await angler.signUp()
  await angler.choose({ lure: POPPER_150, colour: 'Blue Reaper 150mm', quantity: 2 })
  await angler.choose({ lure: POPPER_200, colour: 'Slachback 200mm', hooks: 'Without Hooks' })
  const drawer = await angler.openCart()
  const clear = drawer.getByRole('button', { name: 'Clear cart' })

  await clear.click()
  await expect(drawer).toContainText('Your cart is empty')
  await expect(drawer.getByRole('status').filter({ hasText: 'Cart cleared' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Undo' }).click()
  await expect(drawer).toContainText('Shopping Cart (3 items)')
  await expect(drawer.getByRole('listitem').first()).toContainText(POPPER_200)
  await page.reload()
  await angler.openCart()
  await expect(drawer).toContainText('Shopping Cart (3 items)')

  await page.route('**/rest/v1/cart_items*', (route) => route.fulfill({ status: 503, json: {} }))
  await clear.click()
  await expect(drawer.getByRole('alert')).toContainText('Failed to clear cart')
  await expect(drawer).toContainText('Shopping Cart (3 items)')
})

test('what a customer adds on a slow line is in the cart, however soon the page is left', async ({
  angler,
}) => {
  const { page } = angler
  await page.goto('/auth')
  await angler.signUp()
  await page.goto('/products', { waitUntil: 'networkidle' })
  const cards = [POPPER_150, POPPER_200].map((name) => page.getByRole('article', { name }))
  for (const card of cards) {
    await card.getByRole('button', { name: /^Blue Reaper/ }).click()
    await card.getByRole('button', { name: 'With Hooks', exact: true }).click()
  }
  const line = await page.context().newCDPSession(page)
  const delayAnswers = (latency: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
  await delayAnswers(1500)

  for (const card of cards) await card.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
  await page.reload({ waitUntil: 'commit' })
  await delayAnswers(0)

  await expect(page.getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
})
