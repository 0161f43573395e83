import { delivery } from '#test/shopping.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { loseResponses } from './fixtures/lose-responses.ts'
import { aLure } from './fixtures/lure.ts'
import { acceptTerms, openCheckout, riggedPopper } from './fixtures/signed-in.ts'

const PAYMENT_PAGE = '**/simulator/eng/process'
const TROUBLE = 'Failed to place order. Please try again.'

test('a customer cancels a payment, retries, is declined and finally pays', async ({
  angler,
  browser,
  shop,
  staff,
}) => {
  const { page } = angler

  // covers S2.36 S2.37 S8.15 S35
  await test.step('the success and cancel pages mention no order or money without a known order', async () => {
    const main = page.getByRole('main')
    await page.goto('/payment-success')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Thank you')
    await expect(main.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/')
    await expect(main).not.toContainText(/#\d/)

    await page.goto('/payment-cancelled')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Payment Cancelled')
    await expect(main.getByText('Your cart is saved.')).toBeVisible()
    await expect(main).not.toContainText('no payment for this order')
    await expect(main.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/checkout')
    await expect(main.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
  })

  const lure = await aLure(staff)
  const line = { ...riggedPopper, product_name: lure.name, product_variant: 'Amber', price: 120 }
  const { email } = await openCheckout(page, { shop, lines: [line] })
  const ordersOf = async () => {
    const orders = staff.from('orders').select('id, status, profiles!inner(email)')
    return (await orders.eq('profiles.email', email).order('created_at')).data ?? []
  }
  await acceptTerms(page)
  await angler.placeOrder()

  // covers S2.5 S8.15
  await test.step('the success and cancel pages show strangers nothing and do not change the order', async () => {
    const [order] = await ordersOf()
    const stranger = await (await browser.newContext()).newPage()
    for (const path of ['/payment-success', '/payment-cancelled']) {
      await stranger.goto(`${shop.url}${path}?order_id=${order?.id}`)
      await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(stranger.getByRole('main')).not.toContainText(delivery.full_name)
      await expect(stranger.getByRole('main')).not.toContainText(/#\d{5}/)
    }
    expect((await ordersOf()).map(({ status }) => status)).toEqual(['pending_payment'])

    await stranger.context().close()
  })

  // covers S2.5 S2.37 S34
  await test.step('a cancelled payment keeps cart and form, and Try Again opens the payment page', async () => {
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Payment Cancelled' })).toBeVisible()
    await expect(page.getByText(/#\d{5}/).first()).toBeVisible()
    await expect(page.getByText('We kept your cart and what you typed')).toBeVisible()
    // The form that was typed is only in the tab that placed the order.
    const otherTab = await page.context().newPage()
    await otherTab.goto(page.url())
    await expect(otherTab.getByText('We have no payment for this order. Your cart is saved.')).toBeVisible()
    await otherTab.close()
    await page.getByRole('link', { name: 'Try Again' }).click()
    await expect(page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
    await page.goBack()
    await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
    await expect(angler.placeOrderButton).toBeEnabled()
    await acceptTerms(page)
    await angler.placeOrder()
  })

  // covers S34
  await test.step('Try Again opens the checkout instead of ordering when the total has changed', async () => {
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Payment Cancelled' })).toBeVisible()
    const before = await ordersOf()
    await staff.from('products').update({ price_with_hooks: 130 }).eq('id', lure.id).throwOnError()
    const release = await holdResponses(page, /rpc\/quote_cart/)
    await page.getByRole('link', { name: 'Try Again' }).click()
    await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    await release()
    await expect(page.getByRole('button', { name: 'Place Order – R230.00' })).toBeEnabled()
    await expect(page.getByRole('checkbox', { name: /I accept/ })).not.toBeChecked()
    await expect(page.getByText(/total has changed/)).toBeHidden()
    const after = await ordersOf()
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['cancelled']))
  })

  await test.step('Try Again in a tab without the form’s draft asks for the terms again', async () => {
    await acceptTerms(page)
    await angler.placeOrder()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Payment Cancelled' })).toBeVisible()
    await page.evaluate(() => sessionStorage.removeItem('checkout_form'))
    await page.getByRole('link', { name: 'Try Again' }).click()
    await expect(page.getByText('Please check all required fields')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /I accept/ })).not.toBeChecked()
    await expect(page.getByLabel('Street Address')).not.toHaveValue('')
    await page.getByRole('radio', { name: /Door/ }).check()
  })

  // covers S7.16
  await test.step('a customer repeats a declined payment on the same page', async () => {
    await acceptTerms(page)
    await angler.placeOrder()
    await page.getByRole('button', { name: 'Fail', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('declined')
    await angler.pay()
  })

  await test.step('the pages after a payment say where to find the money of an order that was paid and then cancelled', async () => {
    const paid = (await ordersOf()).at(-1)?.id ?? ''
    await staff.from('orders').update({ status: 'cancelled' }).eq('id', paid).throwOnError()
    for (const path of ['/payment-success', '/payment-cancelled']) {
      const release = await holdResponses(page, /rest\/v1\/orders/)
      await page.goto(`${shop.url}${path}?order_id=${paid}`)
      const announced = await page.locator('main [aria-live]').elementHandle()
      await release()
      await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible()
      // Screen readers announce changes of a live region, but not a new one.
      expect(await announced?.evaluate((region) => region.isConnected)).toBe(true)
      await expect(page.getByRole('main')).not.toContainText(
        /haven't received a payment|no payment for this order/,
      )
    }
    await page.getByRole('link', { name: "the order's page" }).click()
    await expect(page.getByText(/^We owe you a refund of R/)).toBeVisible()
  })
})

test('failures and repeated clicks in the checkout create one order and lose no input', async ({
  angler,
  browserName,
  shop,
  staff,
}) => {
  const { page } = angler
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  // Firefox reports an error in the console without its message.
  await page.addInitScript(() => {
    const report = console.error.bind(console)
    console.error = (...all) => report(...all.map(String))
  })
  const { email } = await openCheckout(page, { shop })
  const orders = async () =>
    (await staff.from('orders').select('id, status, profiles!inner(email)').eq('profiles.email', email)).data

  // covers S33
  await test.step('after a lost connection in the checkout, the next attempt creates one order', async () => {
    // The order arrives but its response is lost, which is the worst moment.
    const restore = await loseResponses(page, '/rest/v1/rpc/place_order')
    await acceptTerms(page)
    await angler.placeOrderButton.click()
    await expect(page.getByText(TROUBLE)).toBeVisible()
    await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
    await expect(angler.placeOrderButton).toBeEnabled()
    await restore()
  })

  // covers S2.35 S8.11
  await test.step('the Place Order button is busy during the request and enabled again after a failure', async () => {
    await page.reload()
    await acceptTerms(page)
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    await intercept(page, '**/functions/v1/generate-payfast-payment', async (route) => {
      await released
      await route.fulfill({ json: {} })
    })
    await angler.placeOrderButton.click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    release(undefined)
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to place order' })).toContainText(TROUBLE)
    await expect.poll(() => logged.join()).toContain('Invalid payment data received from server')
    await expect(angler.placeOrderButton).toBeEnabled()
    await page.unroute('**/functions/v1/generate-payfast-payment')
  })

  await test.step('a buyer who stops the browser on the way to the payment page can press the button again', async () => {
    const { promise: hasGivenUp, resolve: giveUp } = Promise.withResolvers<void>()
    await page.clock.install()
    const requested = page.waitForRequest(PAYMENT_PAGE)
    // WebKit shows a page of its own for an aborted request, and Chromium runs nothing in a page that waits for one.
    const isWebKit = browserName === 'webkit'
    await intercept(page, PAYMENT_PAGE, (route) => (isWebKit ? hasGivenUp : route.abort('aborted')))
    await angler.placeOrderButton.click()
    await requested
    if (isWebKit) await page.evaluate(() => window.stop())
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    await expect(async () => {
      await page.clock.fastForward(20_000)
      await expect(angler.placeOrderButton).toBeEnabled({ timeout: 500 })
    }).toPass()
    giveUp()
    await page.unroute(PAYMENT_PAGE)
  })

  // covers S33
  await test.step('two clicks on Place Order create one order', async () => {
    await angler.placeOrderButton.dblclick()
    await expect(page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
    expect(await orders()).toMatchObject([{ status: 'pending_payment' }])
  })

  await test.step('a buyer who checks again for a late payment keeps the order and the focus', async () => {
    const payment = page.url()
    await page.goto(`${shop.url}/payment-success?order_id=${(await orders())?.[0]?.id}`)
    // The clock must not run ahead of the first answer, without which the page knows no order.
    await expect(page.getByRole('heading', { name: 'Confirming payment' })).toBeVisible()
    const again = page.getByRole('button', { name: 'Check again' })
    await expect(async () => {
      await page.clock.fastForward(30_000)
      await expect(again).toBeVisible({ timeout: 100 })
    }).toPass({ intervals: [20] })
    await again.press('Enter')
    await expect(page.getByRole('button', { name: 'Checking...' })).toBeFocused()
    await expect(page.getByText(/#\d{5}/)).toBeVisible()
    await page.goto(payment)
  })

  await angler.pay()
  expect(await orders()).toMatchObject([{ status: 'new' }])
})
