import { POPPER_150, POPPER_200 } from './fixtures/angler.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'

test('a cancelled payment keeps cart and form, and Try Again leads straight to the payment', async ({
  angler,
}) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })
  await angler.goToCheckout()
  await angler.placeOrder()

  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Payment Cancelled' })).toBeVisible()
  await expect(page.getByText(/#\d{5}/).first()).toBeVisible()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Nearest Locker Location')).toHaveValue('Spar, Kenton-on-Sea')
  await expect(angler.placeOrderButton).toBeEnabled()
  await page.getByRole('checkbox', { name: /I accept/ }).check()
  await angler.placeOrder()
  await angler.pay()
})

test('Try Again shows the checkout instead of ordering when the total is another one by now', async ({
  angler,
  staff,
}) => {
  const { page } = angler
  const { id, name } = await aLure(staff)
  await angler.choose({ lure: name, colour: 'Blue' })
  await angler.goToCheckout()
  await angler.placeOrder()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await staff.from('products').update({ price_with_hooks: 130 }).eq('id', id).throwOnError()

  await page.getByRole('link', { name: 'Try Again' }).click()

  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Place Order – R230.00' })).toBeEnabled()
  const { data } = await staff
    .from('orders')
    .select('status, profiles!inner(email)')
    .eq('profiles.email', angler.email)
  expect(data?.map(({ status }) => status)).toEqual(['cancelled'])
})

test('the cancel page says nothing of money when it does not know the order', async ({ page }) => {
  await page.goto('/payment-cancelled')

  await expect(page.getByText('Your cart is kept.')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('No money has moved')
})

test('a declined payment can be paid on the same page', async ({ angler }) => {
  await angler.choose({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })
  await angler.goToCheckout()
  await angler.placeOrder()

  await angler.page.getByRole('button', { name: 'Fail', exact: true }).click()
  await expect(angler.page.getByRole('alert')).toContainText('declined')

  await angler.pay()
})

test('the success and cancel pages tell a stranger nothing of an order, and do nothing to it', async ({
  angler,
  browser,
  staff,
  shop,
}) => {
  await angler.choose({ lure: POPPER_150, colour: 'Pink Stinger 150mm' })
  await angler.goToCheckout()
  await angler.placeOrder()
  const { data: order } = await staff
    .from('orders')
    .select('id, order_number, profiles!inner(email)')
    .eq('profiles.email', angler.email)
    .single()

  const stranger = await (await browser.newContext()).newPage()
  for (const path of ['/payment-success', '/payment-cancelled']) {
    await stranger.goto(`${shop.url}${path}?order_id=${order?.id}`)
    await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(stranger.getByRole('main')).not.toContainText(angler.name)
    await expect(stranger.getByRole('main')).not.toContainText(/#\d{5}/)
  }

  await angler.pay()
})

test('two clicks on Place Order make one order', async ({ angler, staff }) => {
  await angler.choose({ lure: POPPER_150, colour: 'Blue Reaper 150mm' })
  await angler.goToCheckout()

  await angler.placeOrderButton.dblclick()
  await expect(angler.page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()

  const { data } = await staff
    .from('orders')
    .select('id, profiles!inner(email)')
    .eq('profiles.email', angler.email)
  expect(data).toHaveLength(1)
})

test('a lost line while placing loses nothing, and the next try makes one order', async ({
  angler,
  staff,
}) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_150, colour: 'Blue Reaper 150mm' })
  await angler.goToCheckout()

  // The order arrives, its answer does not: the worst moment for a line to drop.
  await page.route('**/rest/v1/rpc/place_order*', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await angler.placeOrderButton.click()
  await expect(page.getByText('Failed to place order. Please try again.')).toBeVisible()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await expect(angler.placeOrderButton).toBeEnabled()

  await page.unroute('**/rest/v1/rpc/place_order*')
  await angler.placeOrder()
  await angler.pay()
  const { data } = await staff
    .from('orders')
    .select('status, profiles!inner(email)')
    .eq('profiles.email', angler.email)
  expect(data).toMatchObject([{ status: 'new' }])
})
