import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { placed, placeOrder, putInCart } from '#test/shopping.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { type Angler, PASSWORD } from './fixtures/angler.ts'
import { signUpCustomer, signInOverApi } from './fixtures/customer.ts'
import { intercept } from './fixtures/intercept.ts'
import { aPaidBuyer } from './fixtures/order-over-api.ts'
import { aDoublePayment } from './fixtures/payment-issues.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expect, test } from './fixtures/journey.ts'
import { expectNotDismissible } from './fixtures/not-dismissible.ts'
import { openMailLink } from './fixtures/mail-link.ts'
import { signInAs } from './fixtures/signed-in.ts'

const PAYMENT = '**/functions/v1/generate-payfast-payment'
const CANCELLATION = '**/rpc/cancel_own_order'
const NEWS = 'Yes, e-mail me news and offers. I can unsubscribe at any time.'

/** Opens a page of the account through the sign-in that it requires. */
async function open(angler: Angler, path: string, email: string): Promise<void> {
  await angler.page.goto(path)
  await expect(angler.page).toHaveURL(`/auth?redirect=${encodeURIComponent(path)}`)
  await angler.signIn({ email, password: PASSWORD })
  await expect(angler.page).toHaveURL(path)
}

const announced = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text })
const orderRow = (page: Page, number: string) => page.getByRole('listitem').filter({ hasText: number })

test('a customer follows orders from payment to delivery, and a stranger cannot see the orders', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const customer = await signUpCustomer(shop)
  const cancelAll = () =>
    customer.client.from('orders').update({ status: 'cancelled' }).eq('status', 'pending_payment')
  let order = await placeOrder(customer)
  for (let again = 1; again <= 10; again += 1) {
    // A customer has one unpaid order at a time, and the cart still has its lines.
    // oxlint-disable-next-line no-await-in-loop
    await cancelAll()
    // oxlint-disable-next-line no-await-in-loop
    order = await placed(customer.client, 600)
  }
  const number = `Order #${orderNumberText(order.order_number)}`

  await test.step('the orders page opens after the required sign-in', () =>
    open(angler, '/account', customer.email))

  await test.step('many orders fill several pages, and a list that fails to load can be retried', async () => {
    await expect(page.getByRole('heading', { name: /^Order #/ })).toHaveCount(10)
    await page.getByRole('link', { name: 'Older' }).click()
    await expect(page.getByRole('heading', { name: /^Order #/ })).toHaveCount(1)
    await expect(announced(page, /^My orders, page 2 – /)).toBeAttached()

    await intercept(page, '**/rest/v1/orders*', (route) => route.abort())
    await page.reload()
    await expect(page.getByText('Your orders could not be loaded.')).toBeVisible()
    await page.unroute('**/rest/v1/orders*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Page 2 of 2')).toBeVisible()
    await page.goBack()
  })

  await test.step('a customer pays for an unpaid order on the account page', async () => {
    await expect(orderRow(page, number)).toContainText('Awaiting payment')
    await page.getByRole('link', { name: number }).click()
    await expect(announced(page, /^My order – /)).toBeAttached()
    await expect(page.getByText('We have no payment for this order yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Pay R600.00' }).click()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page).toHaveURL(`/account/orders/${order.id}`)
    const message = 'A payment for this order is being confirmed. Please do not pay again.'
    await intercept(page, PAYMENT, (route) => route.fulfill({ status: 409, json: { message } }), { times: 1 })
    await page.getByRole('button', { name: 'Pay R600.00' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(message)
    await page.getByRole('button', { name: 'Pay R600.00' }).click()
    await expect(page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
    await angler.pay()

    await page.goto(`/account/orders/${order.id}`)
    const steps = page.getByRole('region', { name: 'Order progress' }).getByRole('listitem')
    await expect(steps).toContainText(['Ordered', 'Paid', 'Upcoming: On the bench'])
    await expect(page.getByRole('button', { name: 'Print receipt' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeHidden()
  })

  await test.step('a shipped order shows the courier and links to the tracking page', async () => {
    const courier = await staff.from('courier_companies').select('id').eq('name', 'The Courier Guy').single()
    const shipped = await staff
      .from('orders')
      .update({ status: 'shipped', tracking_number: 'TCG 42', courier_company_id: courier.data?.id })
      .eq('id', order.id)
    expect(shipped.error).toBeNull()
    await page.reload()
    await expect(page.getByRole('link', { name: 'Follow the parcel' })).toHaveAttribute(
      'href',
      'https://portal.thecourierguy.co.za/track?ref=TCG%2042',
    )
    await expect(page.getByText('within 7 days of receiving')).toBeVisible()
  })

  const cancelButton = page.getByRole('button', { name: 'Cancel order' })

  await test.step('an order that is being paid cannot be cancelled, and a customer who leaves its page does not pay', async () => {
    const unpaid = await placeOrder(customer)
    await page.goto(`/account/orders/${unpaid.id}`)
    const releasePayment = await holdResponses(page, PAYMENT)
    await page.getByRole('button', { name: /^Pay R/ }).click()
    await expect(page.getByRole('button', { name: 'One moment...' })).toBeDisabled()
    await expect(cancelButton).toBeDisabled()
    await page.getByRole('link', { name: 'All orders' }).click()
    await expect(page.getByRole('heading', { name: /^Order #/ })).toHaveCount(10)
    const payment = page.waitForResponse(PAYMENT)
    await releasePayment()
    await (await payment).finished()
    await afterTwoFrames(page)
    await expect(page).toHaveURL(/\/account$/)
    await page.getByRole('link', { name: `Order #${orderNumberText(unpaid.order_number)}` }).click()
    await expect(page.getByRole('button', { name: /^Pay R/ })).toBeEnabled()
  })

  await test.step('a customer cancels an unpaid order, and its dialog closes only after the cancellation', async () => {
    const question = page.getByRole('dialog', { name: /^Cancel order/ })
    const keepButton = question.getByRole('button', { name: 'Keep order' })
    await intercept(page, CANCELLATION, (route) => route.abort(), { times: 1 })
    await cancelButton.click()
    await question.getByRole('button', { name: 'Cancel order' }).click()
    await expect(
      page.getByText('so the order may already be cancelled. Please reload the page.'),
    ).toBeVisible()
    await keepButton.click()
    await expect(question).toBeHidden()

    const releaseCancellation = await holdResponses(page, CANCELLATION)
    await cancelButton.click()
    await question.getByRole('button', { name: 'Cancel order' }).click()
    await expect(question.getByRole('button', { name: 'Cancelling...' })).toBeDisabled()
    await expectNotDismissible(question, 'Keep order')
    await releaseCancellation()
    await expect(page.getByText('Cancelled by you')).toBeVisible()
    await expect(question).toBeHidden()
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeHidden()
  })

  await test.step('a stranger cannot open another customer’s order by URL', async () => {
    await signInAs(page, { shop, client: (await signUpCustomer(shop)).client })
    await page.goto(`/account/orders/${order.id}`)
    await expect(page.getByRole('heading', { name: 'Order not found' })).toBeVisible()
  })
})

test('a customer saves details, confirms the e-mail address and manages newsletter consent', async ({
  page,
  shop,
}) => {
  const customer = await signUpCustomer(shop)
  const { client, email } = customer
  await signInAs(page, { shop, client })

  // covers S37
  await test.step('a customer’s details are validated, survive a failed save and prefill the checkout', async () => {
    await page.goto('/account/details')
    await page.getByLabel('Phone').fill('082')
    await page.getByLabel('Street Address').fill('12 Beach Road')
    await page.getByRole('button', { name: 'Save my details' }).click()
    await expect(page.getByText('Phone number must be at least 10 digits')).toBeVisible()

    await page.getByLabel('Phone').fill('082 555 0148')
    await intercept(page, '**/rest/v1/profiles*', (route) => route.abort())
    await page.getByRole('button', { name: 'Save my details' }).click()
    await expect(page.getByText('they’re still in the form')).toBeVisible()
    await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
    await page.unroute('**/rest/v1/profiles*')
    await page.getByRole('button', { name: 'Save my details' }).click()
    await expect(page.getByText('We’ll fill these in for you at checkout.')).toBeVisible()

    await putInCart(customer)
    await page.goto('/checkout')
    await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
    await expect(page.getByLabel('Phone')).toHaveValue('082 555 0148')
  })

  await test.step('a customer who switches news off and on within ten minutes is told to confirm the e-mail address first', async () => {
    await page.goto('/account/data')
    const news = page.getByRole('switch', { name: NEWS })
    for (const isOn of [true, false]) {
      await news.click()
      await expect(news).toBeChecked({ checked: isOn })
    }
    await news.click()
    await page.getByRole('link', { name: 'confirm your e-mail address' }).click()
    await expect(page).toHaveURL('/account/security')
  })

  await test.step('a customer confirms the e-mail address, and a message explains a rate-limited mail', async () => {
    const section = page.getByRole('region', { name: 'E-mail' })
    await section.getByRole('button', { name: 'Confirm my e-mail' }).click()
    await expect(section.getByText(`We’ve e-mailed a link to ${email}.`)).toContainText('spam')
    await expect(section.getByRole('button', { name: 'Send it again' })).toBeDisabled()
    await page.reload()
    await section.getByRole('button', { name: 'Confirm my e-mail' }).click()
    await expect(section.getByText(/or try again at .*\d\d:\d\d\./)).toBeVisible()

    await openMailLink(page, shop.mailbox, { to: email, subject: /Confirm your e-mail/ })
    await expect(page).toHaveURL(/\/account\/security/)
    await expect(section.getByText('Your e-mail is confirmed.')).toBeVisible()
    await expect(section.getByRole('button', { name: /Confirm|Send/ })).toBeHidden()
  })

  await test.step('a customer gives and withdraws newsletter consent, each time with the shown text', async () => {
    await page.goto('/account/data')
    const news = page.getByRole('switch', { name: NEWS })
    await news.click()
    await expect(news).toBeChecked()
    await news.click()
    await expect(page.getByText('You declined')).toBeVisible()

    const { data } = await client.from('marketing_consents').select('is_given, wording').order('id')
    expect(data).toEqual([
      { is_given: true, wording: NEWS },
      { is_given: false, wording: 'Stop sending me news and offers.' },
    ])
  })
})

test('a customer consents by a mailed link, exports all data and deletes the account', async ({
  page,
  shop,
}) => {
  const { client, order } = await aPaidBuyer(shop)
  await signInAs(page, { shop, client })
  await page.goto('/account/data')

  await test.step('newsletter consent of an unconfirmed e-mail address takes effect after a mailed link', async () => {
    await page.getByRole('switch', { name: NEWS }).click()
    await expect(page.getByText('We’ve e-mailed you a link.')).toBeVisible()
    const link = /https?:\/\/\S+\/mail\/confirm\/[0-9a-f]+/
    const mail = await shop.mailbox.waitFor(
      ({ recipients, text }) => recipients.includes(order.email) && link.test(text ?? ''),
    )
    await page.goto(link.exec(mail.text ?? '')?.[0] ?? '')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    await page.goto('/account/data')
    await expect(page.getByText('You agreed')).toBeVisible()
  })

  await test.step('a customer exports all data of the account as one file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export my data' }).click(),
    ])
    const data = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(data).toMatchObject({ account: { email: order.email }, orders: [{ id: order.id, status: 'new' }] })
  })

  await test.step('a customer deletes the account by entering the password', async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type DELETE').fill('DELETE')
    await dialog.getByLabel('Password').fill('not my password')
    await dialog.getByRole('button', { name: 'Delete my account for good' }).click()
    await expect(dialog.getByText('This is not your password.')).toBeVisible()
    await dialog.getByLabel('Password').fill(PASSWORD)
    // The account's sessions ended with it: the page does not wait for an answer to a sign-out.
    await intercept(page, '**/auth/v1/logout*', () => new Promise(() => {}))
    await dialog.getByRole('button', { name: 'Delete my account for good' }).click()
    await expect(page.getByText('Your account is deleted')).toBeVisible()
    await expect(page).toHaveURL('/')

    await expect(signInOverApi(shop, order.email)).rejects.toThrow('Invalid login credentials')
    const goodbye = await shop.mailbox.waitFor(
      ({ recipients, subject }) => recipients.includes(order.email) && subject?.includes('closed') === true,
    )
    expect(goodbye.text).toContain('five years')
  })
})

test('a customer who paid an order twice sees that the second payment is refunded', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const order = await aDoublePayment(shop)
  await open(angler, `/account/orders/${order.id}`, order.email)

  await expect(page.getByRole('status').filter({ hasText: 'more than this order costs' })).toHaveText(
    /^You paid R600\.00 more than this order costs\. We’ll refund it/,
  )
})
