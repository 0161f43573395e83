import { randomInt } from 'node:crypto'
import { putInCart } from '#test/shopping.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { acceptTerms, openCheckout, riggedPopper } from './fixtures/signed-in.ts'

const PROMO_CHECK = '**/rpc/validate_promo_code*'
const ORDER = '**/rpc/place_order*'

test('what a buyer does in the checkout while an answer is late is neither lost nor undone', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const code = `LATE-${randomInt(1e9)}`
  const percent = { code, discount_type: 'percentage', discount_value: 10 } as const
  await staff.from('promo_codes').insert(percent).throwOnError()
  const customer = await openCheckout(page, { shop })
  const payment = page.getByRole('heading', { name: /^Pay R/ })
  const street = page.getByLabel('Street Address')

  await test.step('while the form’s checks load, accepted terms count and another colour is not ordered', async () => {
    const release = await holdResponses(page, /\/assets\/submission-.*\.js/)
    await angler.placeOrderButton.click()
    await acceptTerms(page)
    const swapped = { ...riggedPopper, product_variant: 'Mahi Mahi 150mm' }
    await customer.client.from('cart_items').delete().eq('user_id', customer.userId).throwOnError()
    await putInCart(customer, swapped)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(page.getByText(swapped.product_variant).first()).toBeVisible()
    await release()
    await expect(page.getByText('Your cart was changed in another tab or on another device.')).toBeVisible()
    await angler.placeOrderButton.click()
    await expect(payment).toBeVisible()
    await page.unrouteAll()
    await page.goBack()
  })

  await test.step('Place Order waits until the promo code has been checked', async () => {
    await acceptTerms(page)
    const release = await holdResponses(page, PROMO_CHECK)
    await angler.applyPromoCode(code)
    await expect(page.getByRole('button', { name: 'Applying...' })).toBeVisible()
    await expect(angler.placeOrderButton).toBeDisabled()
    await release()
    await expect(angler.figure('Discount')).toBeVisible()
    await expect(angler.placeOrderButton).toBeEnabled()
    await page.unrouteAll()
  })

  await test.step('a late check does not apply a code that the buyer has replaced', async () => {
    await page.getByRole('button', { name: 'Remove' }).click()
    const release = await holdResponses(page, PROMO_CHECK)
    const answered = page.waitForResponse(PROMO_CHECK)
    await page.getByLabel('Promo Code').fill(code)
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByLabel('Promo Code').fill(`${code}0`)
    await release()
    await (await answered).finished()
    await afterTwoFrames(page)
    await expect(page.getByLabel('Promo Code')).toHaveValue(`${code}0`)
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Invalid Code')).toBeVisible()
    await expect(page.getByLabel('Promo Code')).toHaveValue(`${code}0`)
    await expect(angler.figure('Discount')).toHaveCount(0)
    await page.unrouteAll()
  })

  await test.step('the order contains a quantity that was raised just before, and its address stays as sent', async () => {
    const releaseCart = await holdResponses(page, '**/rest/v1/cart_items*', { method: 'PATCH' })
    await page.getByRole('button', { name: 'Edit cart' }).click()
    const cart = page.getByRole('dialog', { name: /Shopping Cart/ })
    await cart.getByRole('button', { name: 'Increase quantity' }).click()
    await page.keyboard.press('Escape')
    const total = await angler.figure('Total').innerText()
    await angler.placeOrderButton.click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()

    await street.scrollIntoViewIfNeeded()
    await expect(street).toBeInViewport({ ratio: 1 })
    const { x = 0, y = 0 } = (await street.boundingBox()) ?? {}
    await page.mouse.click(x + 20, y + 20)
    await page.keyboard.type('99 ')
    await expect(street).not.toHaveValue(/99/)
    await releaseCart()
    await expect(payment).toHaveText(`Pay ${total}`)
    await page.unrouteAll()
    await page.goBack()
  })

  await test.step('a buyer who sends the form from a field is in that field again when the order fails', async () => {
    await acceptTerms(page)
    await intercept(page, ORDER, (route) => route.abort())
    await street.press('Enter')
    await expect(page.getByText('Failed to place order. Please try again.')).toBeVisible()
    await expect(street).toBeFocused()
    await page.unrouteAll()
  })

  await test.step('a buyer who leaves while the order is sent stays there and is told where to pay', async () => {
    const release = await holdResponses(page, ORDER)
    await angler.placeOrderButton.click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
    await page.getByRole('banner').getByRole('link').first().click()
    await expect(page).toHaveURL(`${shop.url}/`)
    await expect(page.getByRole('heading', { name: 'Checkout' })).toHaveCount(0)
    await release()
    await expect(page.getByText(/^Order #\d{5} is placed$/)).toBeVisible()
    await page.getByRole('button', { name: 'Show order' }).click()
    await expect(page).toHaveURL(/\/account\/orders\//)
    await page.unrouteAll()
  })

  await test.step('a buyer whose payment is refused reads the reason on the order’s page', async () => {
    await page.goto('/checkout')
    await acceptTerms(page)
    await intercept(page, '**/functions/v1/generate-payfast-payment', async (route) => {
      const cancelled = staff.from('orders').update({ status: 'cancelled' })
      await cancelled.eq('customer_id', customer.userId).eq('status', 'pending_payment').throwOnError()
      await route.continue()
    })
    await angler.placeOrderButton.click()
    await expect(page).toHaveURL(/\/account\/orders\//)
    await expect(page.getByText('This order is not waiting for payment.')).toBeVisible()
    await page.unrouteAll()
  })

  await test.step('a page that was opened from the checkout stays when the cart is emptied meanwhile', async () => {
    await page.goto('/checkout')
    await expect(angler.placeOrderButton).toBeVisible()
    const release = await holdResponses(page, '**/assets/*.js')
    await page.getByRole('link', { name: 'Terms of Service' }).last().click()
    await customer.client.from('cart_items').delete().eq('user_id', customer.userId).throwOnError()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(angler.placeOrderButton).toHaveCount(0)
    await release()
    await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible()
  })
})

test('a change of the cart that gets no answer delays the refusal of its order by seconds, and is named as the reason', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  await page.clock.install()
  await openCheckout(page, { shop })
  await acceptTerms(page)
  const release = await holdResponses(page, '**/rest/v1/cart_items*', { method: 'PATCH' })
  await page.getByRole('button', { name: 'Edit cart' }).click()
  const cart = page.getByRole('dialog', { name: /Shopping Cart/ })
  await cart.getByRole('button', { name: 'Increase quantity' }).click()
  await page.keyboard.press('Escape')
  await angler.placeOrderButton.click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()

  await expect(async () => {
    await page.clock.fastForward(10_000)
    await expect(page.getByText("Your last change of the cart isn't saved yet")).toBeVisible({ timeout: 500 })
  }).toPass()

  await release()
  await angler.placeOrderButton.click()
  await expect(page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
})

test('lockers near the buyer are listed and counted, a list that did not load is reported, and a late position changes no search', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  await openCheckout(page, { shop })
  await page.evaluate(() => {
    const unknown = { altitude: null, altitudeAccuracy: null, heading: null, speed: null, toJSON: () => null }
    const coords = { latitude: -26.06, longitude: 28.06, accuracy: 10, ...unknown }
    const position = { coords, timestamp: 0, toJSON: () => null }
    navigator.geolocation.getCurrentPosition = (found) =>
      addEventListener('position', () => found(position), { once: true })
  })
  await page.getByRole('radio', { name: /Locker/ }).check()
  const list = page.getByRole('listbox', { name: 'Lockers' })
  const arrive = () => page.evaluate(() => void dispatchEvent(new Event('position')))
  const near = page.getByRole('button', { name: 'Lockers near me' })

  await intercept(page, '**/lockers-*.json', (route) => route.abort())
  await near.click()
  await arrive()
  await expect(page.getByText('The list of lockers did not load. Type where yours is.')).toBeVisible()
  await page.unroute('**/lockers-*.json')

  const field = page.getByRole('combobox', { name: /Nearest Locker/ })
  const looking = page.getByText('Looking for lockers near you...')
  await field.press('Tab')
  await page.keyboard.press('Enter')
  await expect(looking).toBeVisible()
  await arrive()
  await expect(list.getByRole('option').first()).toContainText('km')
  await expect(page.getByText(/^\d+ lockers? found\./)).toBeVisible()
  await expect(field).toBeFocused()
  await field.press('ArrowDown')
  await expect(list.getByRole('option', { selected: true })).toContainText('km')

  // The press closes the list above the button.
  await near.click()
  await expect(looking).toBeVisible()
  await field.fill('no such place')
  await expect(page.getByText('No listed locker found. You can describe yours.')).toBeVisible()
  await field.fill('rivonia')
  await expect(list.getByRole('option').first()).toBeVisible()
  await arrive()
  await afterTwoFrames(page)
  await expect(list.getByText('km')).toHaveCount(0)
  await list.getByRole('option').first().click()
  await expect(list).toBeHidden()
})
