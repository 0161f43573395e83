import type { Locator, Page } from '@playwright/test'
import { PASSWORD } from './fixtures/angler.ts'
import { intercept } from './fixtures/intercept.ts'
import { goWithinAdmin } from './fixtures/go-within-admin.ts'
import { expect, test } from './fixtures/journey.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { anOrder, aPaidOrder, type ApiOrder } from './fixtures/order-over-api.ts'
import {
  aFailedMail,
  aForgedNotice,
  anotherBrother,
  aPaymentForSoldLures,
  aShortPayment,
  setStock,
} from './fixtures/payment-issues.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import type { OpenShop } from './shop.ts'

/** The card of this order's payment issue. */
function issueCard(page: Page, order: ApiOrder): Locator {
  return page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('article')
    .filter({ hasText: order.number })
}

test('an admin resolves every type of payment issue from the list', async ({
  adminPage: page,
  angler,
  shop,
}) => {
  const unmailed = await aPaidOrder(shop)
  const [accepted, refunded, toppedUp, forged] = await Promise.all([
    aShortPayment(shop),
    aShortPayment(shop),
    aShortPayment(shop),
    aForgedNotice(shop),
    aFailedMail(shop, unmailed),
    aFailedMail(shop, { ...unmailed, email: 'thandi@gmial.example' }),
  ])
  const sold = await aPaymentForSoldLures(shop)
  await page.goto('/admin/needs-you')
  await expect(page).toHaveURL(/\/admin\/needs-attention$/)

  await test.step('an admin accepts a payment for sold-out lures after restocking', async () => {
    const card = issueCard(page, sold)
    await expect(card.getByRole('heading')).toHaveText('Paid, but sold out')
    await card.getByRole('button', { name: 'Accept payment' }).click()
    await expect(page.getByText('There is still not enough stock of these lures.')).toBeVisible()
    await setStock(shop, sold, 500)
    await card.getByRole('button', { name: 'Accept payment' }).click()
    await expect(page.getByText('Payment accepted')).toBeVisible()
    await expect(card).toHaveCount(0)
  })

  await test.step('an EFT for sold-out lures is recorded, and waits until an admin accepts it', async () => {
    const late = await anOrder(shop)
    await setStock(shop, late, 0)
    await goWithinAdmin(page, `/admin/orders/${late.id}`)
    const details = page.getByRole('dialog', { name: 'Order Details' })
    const record = details.getByRole('region', { name: 'Payment record' })
    await record.getByRole('button', { name: 'Record payment' }).click()
    const dialog = page.getByRole('dialog', { name: `Payment of order ${late.number}` })
    await dialog.getByRole('button', { name: 'Record payment' }).click()
    await expect(page.getByText('The lures are sold out, so the order stays unpaid.')).toBeVisible()
    await expect(record).toContainText(
      'The lures were already sold, so this payment did not pay for the order.',
    )
    await expect(record.getByRole('button', { name: 'Record payment' })).toHaveCount(0)

    await setStock(shop, late, 500)
    await details
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('link', { name: 'View issues' })
      .click()
    const card = issueCard(page, late)
    await expect(card.getByRole('heading')).toHaveText('Paid, but sold out')
    await card.getByRole('button', { name: 'Accept payment' }).click()
    await expect(card).toHaveCount(0)
  })

  // covers A19
  await test.step('a failed mail shows the mail server’s message and is retried', async () => {
    const card = page.getByRole('article').filter({ hasText: unmailed.email })
    await expect(card).toContainText('The mail server said: 550 5.1.1 no such mailbox')
    await card.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Sending the e-mail')).toBeVisible()
    await shop.mailbox.waitFor(({ recipients }) => recipients.includes(unmailed.email))
    await expect(card).toHaveCount(0)
  })

  await test.step('an admin deletes a failed mail to a mistyped address', async () => {
    const card = page.getByRole('article').filter({ hasText: 'thandi@gmial.example' })
    await card.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete e-mail' })
    await expect(dialog).toContainText('The e-mail to thandi@gmial.example will not be sent.')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('E-mail deleted')).toBeVisible()
    await expect(card).toHaveCount(0)
  })

  await test.step('an admin accepts a payment that is a rand short', async () => {
    const card = issueCard(page, accepted)
    await expect(card.getByRole('heading')).toHaveText('Paid too little')
    await card.getByRole('button', { name: 'Accept as it is' }).click()
    const dialog = page.getByRole('dialog', { name: 'Accept payment' })
    await expect(dialog).toContainText('although R1.00 is missing')
    await dialog.getByRole('button', { name: 'Accept payment' }).click()
    await expect(page.getByText('Payment accepted, the order is paid')).toBeVisible()
    await expect(card).toHaveCount(0)
  })

  await test.step('an admin sees that another admin has just resolved the issue, and keeps the typed note', async () => {
    await issueCard(page, forged).getByRole('button', { name: 'Resolve with a note' }).click()
    const dialog = page.getByRole('dialog', { name: 'Payment notice with a wrong signature' })
    await dialog.getByLabel('What you did about it').fill('Compared the passphrase')
    const other = await anotherBrother(shop, 'Johan')
    await other.settle(forged, 'It was my own test')
    await dialog.getByRole('button', { name: 'Resolve' }).click()

    await expect(dialog).toContainText('Johan resolved this in the meantime')
    await expect(dialog).toContainText('It was my own test')
    await expect(dialog.getByLabel('What you did about it')).toHaveValue('Compared the passphrase')
  })

  await test.step('an admin refunds a short payment from the list of issues', async () => {
    await page.goto(`/admin/orders/${refunded.id}`)
    const details = page.getByRole('dialog', { name: 'Order Details' })
    const issue = details.getByRole('region', { name: 'Needs attention' })
    await expect(issue).toContainText('Paid too little')
    await issue.getByRole('link', { name: 'View issues' }).click()
    const card = issueCard(page, refunded)
    await expect(card).toContainText('R599.00')
    await card.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog', { name: `Refund order ${refunded.number}` })
    await dialog.getByLabel('Reason').fill('A rand was missing')
    await dialog.getByRole('button', { name: 'Refund R599.00' }).click()
    await expect(page.getByText('Refund recorded')).toBeVisible()
    await expect(card).toHaveCount(0)
  })

  await test.step('a customer pays a missing rand through the mailed link', async () => {
    const card = issueCard(page, toppedUp)
    await card.getByRole('button', { name: 'Send payment link' }).click()
    await page
      .getByRole('dialog', { name: 'Send payment link' })
      .getByRole('button', { name: 'Send link' })
      .click()
    await expect(card).toContainText('Link for R1.00 sent')
    const mail = await shop.mailbox.waitFor(({ subject }) =>
      Boolean(subject?.startsWith('R1.00 left to pay') && subject.endsWith(toppedUp.number.slice(1))),
    )
    const link = /https?:\S+\/account\/orders\/[\w-]+/.exec(mail.text ?? '')?.[0] ?? ''

    await angler.page.goto(new URL(link).pathname)
    await angler.signIn({ email: toppedUp.email, password: PASSWORD })
    await angler.page.goto(`/payment-cancelled?order_id=${toppedUp.id}`)
    await expect(angler.page.getByText('Your order is still open')).toBeVisible()
    await angler.page.getByRole('link', { name: 'Go to my order' }).click()
    await expect(angler.page.getByText('We received R599.00 of R600.00.')).toBeVisible()
    await angler.page.getByRole('button', { name: 'Pay R1.00' }).click()
    await expect(angler.page.getByRole('heading', { name: /^Pay R1\.00/ })).toBeVisible()
    await angler.pay()
    await expect(card).toHaveCount(0, { timeout: 40_000 })
  })
})

test(
  'an admin dismisses the notice of a full gallery, and refunds a cancelled order with a short payment',
  { tag: '@long' },
  async ({ adminPage: page, shop }) => {
    const cancelled = await aShortPayment(shop)
    await dismissFullGallery(page, shop)
    await refundShortPayment(page, cancelled)
  },
)

test(
  'no late answer moves a refund’s button from under the pointer',
  { tag: '@long' },
  async ({ adminPage: page }) => {
    const release = await holdResponses(page, /open_payment_issues/)
    await page.goto('/admin/needs-attention')
    const refunds = page.getByRole('region', { name: 'To refund', includeHidden: true })
    await expect(refunds).toHaveCount(1)
    await expect(refunds).toBeHidden()
    expect(
      await refunds.boundingBox(),
      'a link to a part of the page has a place to scroll to',
    ).not.toBeNull()

    await release()
    await expect(refunds).toBeVisible()
  },
)

test(
  'no late order moves an issue’s buttons from under the pointer',
  { tag: '@long' },
  async ({ adminPage: page, shop }) => {
    await aForgedNotice(shop)
    const orders = /\/rest\/v1\/orders\?.*&id=in/
    const release = await holdResponses(page, orders)
    const asksForOrders = page.waitForRequest(orders)
    await page.goto('/admin/needs-attention')
    const resolve = page.getByRole('button', { name: 'Resolve with a note' })
    // The issues have arrived by then.
    await asksForOrders
    await expect(resolve).toHaveCount(0)

    await release()
    await expect(resolve.first()).toBeVisible()

    await test.step('an admin is told when the orders of the issues fail to load, and can try again', async () => {
      const refusal = { status: 400, json: { code: 'P0001', message: 'The orders rest.' } }
      await intercept(page, orders, (route) => route.fulfill(refusal))
      await page.reload()
      const failure = page
        .getByRole('alert')
        .filter({ hasText: 'The orders of these issues could not be loaded' })
      await expect(failure).toContainText('The orders rest.')
      await expect(resolve.first()).toBeVisible()
      await page.unroute(orders)
      await failure.getByRole('button', { name: 'Try again' }).click()
      await expect(failure).toHaveCount(0)
    })
  },
)

async function refundShortPayment(page: Page, order: ApiOrder): Promise<void> {
  await page.goto(`/admin/orders/${order.id}`)
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await details.getByRole('button', { name: 'Cancel order' }).click()
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: /^Cancel order/ }))
  await expect(question).toContainText('R599.00 has to be refunded')
  await expect(question).toContainText('sends 1 e-mail')
  await question.getByRole('button', { name: 'Cancel order' }).click()

  const due = details.getByRole('region', { name: 'Refund due' })
  await expect(due).toContainText('R599.00 to refund')
  await page.goto('/admin/orders?refund=due')
  await expect(page.getByRole('row').filter({ hasText: order.number })).toContainText('R599.00 to refund')
  await page.goto('/admin/needs-attention')
  const card = page.getByRole('article', { name: `R599.00 to refund, order ${order.number}` })
  await card.getByRole('button', { name: 'Refund R599.00' }).click()
  const refund = page.getByRole('dialog', { name: `Refund order ${order.number}` })
  await refund.getByLabel('Reason').fill('The order was cancelled')
  await refund.getByRole('button', { name: 'Refund R599.00' }).click()

  await expect(page.getByText(order.number)).toHaveCount(0)
}

async function dismissFullGallery(page: Page, shop: OpenShop): Promise<void> {
  for (let refused = 0; refused < 3; refused += 1)
    await queryDatabase(shop, 'select private.record_full_gallery()')
  await page.goto('/admin/needs-attention')

  const card = page.getByRole('article', { name: 'Gallery full' })
  await expect(card).toContainText('refused 3 uploads')
  await expect(card.getByRole('link', { name: 'Review photos' })).toBeVisible()
  await card.getByRole('button', { name: 'Dismiss' }).click()

  await expect(card).toHaveCount(0)
}
