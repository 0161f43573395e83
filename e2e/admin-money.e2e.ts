import type { Locator, Page } from '@playwright/test'
import { delivery } from '#test/shopping.ts'
import { intercept } from './fixtures/intercept.ts'
import { aFailedMail, aShortPayment } from './fixtures/payment-issues.ts'
import { expectInMail } from './fixtures/framed-mail.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expect, test } from './fixtures/journey.ts'
import { loseResponses } from './fixtures/lose-responses.ts'
import { expectNotDismissible } from './fixtures/not-dismissible.ts'
import { aPaidOrder, type ApiOrder } from './fixtures/order-over-api.ts'

async function openOrder(page: Page, order: ApiOrder): Promise<Locator> {
  await page.goto(`/admin/orders/${order.id}`)
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await expect(details.getByText(`Order ${order.number}`, { exact: true })).toBeVisible()
  return details
}

test('a paid order’s page shows payment and mails, saves notes and address, and prints documents', async ({
  adminPage: page,
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const subject = `Order ${order.number.slice(1)} is confirmed`
  const isConfirmation = (mail: { subject?: string; recipients: string[] }) =>
    mail.subject === subject && mail.recipients.includes(delivery.email)
  await shop.mailbox.waitFor(isConfirmation)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  const details = await openOrder(page, order)
  const timeline = details.getByRole('region', { name: 'Timeline' })

  // covers A9
  await test.step('the payment record shows the attempt, the notice, the four checks and the raw request', async () => {
    const record = details.getByRole('region', { name: 'Payment record' })
    await expect(record).toContainText('Sent to PayFast')
    await expect(record).toContainText('It marked this order as paid.')
    await expect(record.getByRole('list', { name: 'Checks' }).getByRole('listitem')).toContainText([
      'Signature: passed',
      'Source: passed',
      'Merchant and amount: passed',
      'Confirmation: passed',
    ])
    await expect(record).toContainText('Received R600.00')
    await expect(record).not.toContainText('payment_status=COMPLETE')
    await record.getByText('Raw notice').click()
    await expect(record).toContainText('payment_status=COMPLETE')
  })

  // covers A19
  await test.step('an admin reads and resends each mail of an order', async () => {
    await details.getByRole('button', { name: subject }).click()
    const mail = page.getByRole('dialog', { name: subject })
    await expect(mail.getByText('Sent', { exact: true })).toBeVisible()
    await expectInMail(mail, { texts: ['Thank you, Thandi.'] })
    await mail.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('Sending the e-mail again')).toBeVisible()
    await expect.poll(() => shop.mailbox.mails.filter(isConfirmation).length).toBe(2)
    await expect(mail).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  // covers A9 A11
  await test.step('a note typed while another note is saved is not lost', async () => {
    const notes = details.getByRole('region', { name: 'Internal notes' })
    const releaseResponse = await holdResponses(page, '**/rest/v1/order_notes*', { method: 'GET' })
    await notes.getByLabel('New note').fill('Wrap it twice')
    const saved = page.waitForResponse('**/rest/v1/order_notes*')
    await notes.getByRole('button', { name: 'Add note' }).click()
    await saved

    await notes.getByLabel('New note').fill('And ring before it leaves')
    await releaseResponse()

    await expect(notes.getByText('Wrap it twice')).toBeVisible()
    await expect(timeline).toContainText('Wrap it twice')
    await notes.getByRole('button', { name: 'Add note' }).click()
    await expect(notes.getByLabel('New note')).toHaveValue('')
    await expect(notes.getByText('And ring before it leaves')).toBeVisible()
  })

  // covers A15 A34
  await test.step('an admin corrects a delivery address and undoes the correction', async () => {
    await details.getByRole('button', { name: 'Change address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change address' })
    await dialog.getByLabel('Street Address').fill('41 Beach Road')
    await intercept(page, '**/rpc/change_delivery', (route) => route.abort(), { times: 1 })
    await dialog.getByLabel('Street Address').press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toBeVisible()
    await expect(dialog.getByLabel('Street Address'), 'a failed save gives the focus back').toBeFocused()
    // The toast comes as the dialog closes, once the lists are loaded: if it moved, the press on its Undo would be lost.
    const releaseLists = await holdResponses(page, '**/rest/v1/orders*', { method: 'GET' })
    const releaseSave = await holdResponses(page, '**/rpc/change_delivery')
    const street = dialog.getByLabel('Street Address')
    await street.press('Enter')
    await expectNotDismissible(dialog)
    await street.click({ force: true })
    await page.keyboard.type(' B')
    await expect(street, 'a word while it saves would be lost').toHaveValue('41 Beach Road')
    await releaseSave()
    await releaseLists()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(timeline).toContainText('Street: 14 Beach Road → 41 Beach Road')
    await expect(timeline).toContainText('Street: 41 Beach Road → 14 Beach Road')
  })

  // covers A17
  await test.step('a packing slip names hooks and no price, an invoice claims no VAT', async () => {
    await details.getByRole('link', { name: 'Packing slip' }).click()
    const slip = page.getByRole('article', { name: `Packing slip ${order.number}` })
    await expect(slip).toContainText('With Hooks')
    await expect(slip).not.toContainText(/R\s?\d/)

    await page.goto(`/admin/print/invoices?orders=${order.id}`)
    const invoice = page.getByRole('article', { name: `Invoice ${order.number}` })
    await expect(invoice).toContainText('R600.00')
    await expect(invoice).toContainText('Not registered for VAT: no VAT is charged.')
    await expect(invoice).not.toContainText(/tax invoice/i)
    await expect(page.getByRole('heading', { name: 'Invoice', level: 1, exact: true })).toBeVisible()
  })
})

test('an admin partly refunds, cancels, reinstates and fully refunds an order', async ({
  adminPage: page,
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const number = order.number.slice(1)
  await page.goto(`/admin/orders?search=${order.order_number}`)
  const row = page.getByRole('row').filter({ hasText: order.number })
  const details = page.getByRole('dialog', { name: 'Order Details' })
  const record = details.getByRole('region', { name: 'Payment record' })
  const refund = page.getByRole('dialog', { name: `Refund order ${order.number}` })
  const question = page.getByRole('dialog', { name: `Cancel order ${order.number}` })
  const reinstatement = page.getByRole('dialog', { name: `Reinstate order ${order.number}` })
  const open = () => row.getByRole('link', { name: `View order ${order.number}` }).click()
  const close = () => details.getByRole('button', { name: 'Close' }).click()

  // covers A14
  await test.step('a partial refund returns the chosen lures to stock and e-mails the customer', async () => {
    await open()
    await details.getByRole('button', { name: 'Refund' }).click()
    await refund.getByLabel('Part of it').check()
    await refund.getByLabel('Amount (R)').fill('600.01')
    await refund.getByRole('button', { name: /^Refund R/ }).click()
    await expect(refund).toContainText('At most R600.00 can still be refunded')
    await expect(refund).toContainText('Please say why, in a few words')

    await refund.getByLabel('Amount (R)').fill('120.50')
    await refund.getByLabel('Reason').fill('Bent hook')
    await expect(refund).toContainText('This order has not shipped yet.')
    await expect(refund.getByRole('combobox')).toHaveValue('0')
    await refund.getByRole('combobox').selectOption('1')
    const restore = await loseResponses(page, 'rpc/record_refund')
    await refund.getByRole('button', { name: 'Refund R120.50' }).click()
    await expect(refund).toContainText('R600.00 received, R120.50 refunded.')
    await restore()
    await refund.getByRole('button', { name: 'Refund R120.50' }).click()
    await expect(page.getByText('The refunds of this payment have changed in the meantime.')).toBeVisible()
    await refund.getByRole('button', { name: 'Cancel' }).click()
    await expect(refund).toBeHidden()
    await expect(record).toContainText('R600.00 received, R120.50 refunded.')
    await expect(record).toContainText('Bent hook. Refunded by hand, with lures taken off the order.')
    await shop.mailbox.waitFor(({ text }) =>
      Boolean(text?.includes('R120.50') && text.includes('Bent hook') && /remaining\s+R479\.50/.test(text)),
    )
    await expect(details).toContainText('Net of refundsR479.50')
    await close()
    await expect(row).toContainText('R120.50 refunded')
  })

  // covers A14
  await test.step('an admin withdraws a refund recorded by mistake, and the customer gets an e-mail', async () => {
    await open()
    await record.getByRole('button', { name: 'Withdraw refund' }).click()
    const withdrawal = page.getByRole('dialog', { name: 'Withdraw refund of R120.50' })
    await expect(withdrawal).toContainText('that this refund put back in stock return to the order')
    await withdrawal.getByRole('button', { name: 'Withdraw refund' }).click()
    await expect(withdrawal).toContainText('Please say why, in a few words')
    await expect(withdrawal).toContainText(`“Correction to your refund for order ${number}”`)
    await withdrawal.getByLabel('Reason').fill('It was for another order')
    await withdrawal.getByRole('button', { name: 'Withdraw refund' }).click()

    await expect(page.getByText('Refund withdrawn', { exact: true })).toBeVisible()
    await expect(withdrawal).toBeHidden()
    await expect(record).toContainText('R600.00 received, nothing refunded.')
    await expect(record).toContainText('Recorded by mistake and withdrawn')
    await expect(details.getByRole('region', { name: 'Timeline' })).toContainText(
      'Refund of R120.50 withdrawn',
    )
    await expect(record.getByRole('button', { name: 'Withdraw refund' })).toHaveCount(0)
    await shop.mailbox.waitFor(({ subject, text }) =>
      Boolean(
        subject === `Correction to your refund for order ${number}` &&
        text?.replaceAll(/\s+/g, ' ').includes('we did not send you this R120.50'),
      ),
    )
    await close()
    await expect(row).toBeVisible()
    await expect(row).not.toContainText('refunded')
  })

  await test.step('the question about a cancellation can be closed when its amounts fail to load', async () => {
    const preview = '**/rpc/preview_cancellation'
    await intercept(page, preview, (route) => route.fulfill({ status: 400, json: { message: 'Not now.' } }))
    await row.getByRole('combobox').selectOption('Cancelled')
    await expect(question).toContainText('The amounts could not be loaded. Close this and try again.')
    await expect(question.getByRole('button', { name: 'Cancel order' })).toBeDisabled()
    await question.getByRole('button', { name: 'Keep order' }).click()
    await expect(question).toHaveCount(0)
    await page.unroute(preview)
  })

  // covers A12 A34
  await test.step('cancelling a paid order asks for confirmation, opens a refund task and blocks shipping', async () => {
    const previews: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/rpc/preview_cancellation')) previews.push(request.method())
    })
    await row.getByRole('combobox').selectOption('Cancelled')
    await expect(question).toContainText(
      'This cancels 1 order and sends 1 e-mail. R600.00 has to be refunded',
    )
    await question.getByRole('button', { name: 'Cancel order' }).click()

    await expect(row).toContainText('R600.00 to refund')
    await expect(question).toBeHidden()
    expect(previews, 'a preview after the cancellation says that no order is cancelled').toEqual(['POST'])
    const [eye, bin] = await row
      .locator('td:last-child svg')
      .evaluateAll((icons) => icons.map((icon) => icon.getBoundingClientRect().y))
    expect(eye, 'the icons of a row stand on one line').toBe(bin)
    await expect(row.getByRole('option')).toHaveText(['Cancelled', 'New', 'Processing'])
    await shop.mailbox.waitFor(({ subject, text }) =>
      Boolean(subject === `Order ${number}: Cancelled` && text?.includes('We’ll refund R600.00 to')),
    )
    await page.getByRole('link', { name: /^To refund/ }).click()
    await open()
    await expect(details).toContainText('This order is cancelled. Reinstate it before you ship it.')
    await expect(details.getByRole('button', { name: 'Update Tracking & Ship Order' })).toHaveCount(0)
  })

  // covers A12
  await test.step('reinstating an order lists the effects first and e-mails the customer', async () => {
    await details.getByRole('button', { name: 'Reinstate order' }).click()
    await expect(reinstatement).toContainText(
      'becomes New again and takes its lures from stock. Its refund is no longer due.',
    )
    await reinstatement.getByRole('button', { name: 'Reinstate order' }).click()

    await expect(details.getByRole('region', { name: 'Timeline' })).toContainText('Reinstated')
    await expect(details.getByRole('region', { name: 'Refund due' })).toHaveCount(0)
    await shop.mailbox.waitFor(({ subject }) => subject === `Order ${number}: Reinstated`)
  })

  await test.step('an admin fully refunds an order that is cancelled again', async () => {
    await details.getByRole('button', { name: 'Cancel order' }).click()
    await question.getByRole('button', { name: 'Cancel order' }).click()
    await details.getByRole('button', { name: 'Refund R600.00' }).click()
    await expect(refund).toContainText('No lures of this order can go back in stock, or they already have.')
    await refund.getByLabel('Reason').fill('Changed their mind')
    await refund.getByRole('button', { name: 'Refund R600.00' }).click()

    await expect(refund).toBeHidden()
    await expect(record).toContainText('R600.00 received, R600.00 refunded.')
    await expect(details.getByRole('region', { name: 'Refund due' })).toHaveCount(0)
  })
})

// covers A35
test(
  'no page of the admin area is wider than the smallest phone',
  { tag: '@long' },
  async ({ adminPage: page, shop }) => {
    const order = await aShortPayment(shop)
    const paid = await aPaidOrder(shop)
    await aFailedMail(shop, order)
    await page.setViewportSize({ width: 320, height: 640 })
    const tooWide: Record<string, number> = {}

    for (const path of [
      '',
      '/needs-attention',
      '/orders',
      `/orders/${order.id}`,
      '/messages',
      '/subscribers',
      '/low-stock',
      '/history',
      '/settings',
      `/print/packing-slips?orders=${paid.id}`,
      `/print/invoices?orders=${order.id}`,
    ]) {
      await page.goto(`/admin${path}`, { waitUntil: 'networkidle' })
      const width = await widthOf(page)
      if (width > 320) tooWide[path] = width
    }

    expect(tooWide).toEqual({})
  },
)

// covers A35
test(
  'no column or action of a table is cut off on a small laptop',
  { tag: '@long' },
  async ({ adminPage: page, shop }) => {
    await aShortPayment(shop)
    await page.setViewportSize({ width: 1024, height: 768 })
    const cutOff: string[] = []

    for (const path of ['orders', 'clients', 'products', 'promo-codes']) {
      await page.goto(`/admin/${path}`, { waitUntil: 'networkidle' })
      const hidden = await page
        .getByRole('table')
        .evaluate(({ scrollWidth, parentElement }) => scrollWidth - (parentElement?.clientWidth ?? 0))
      if (hidden > 0) cutOff.push(`${path}: ${hidden} px`)
    }

    expect(cutOff).toEqual([])
  },
)

/** The scroll width of the page or of its widest dialog. */
function widthOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(
      document.documentElement.scrollWidth,
      ...Array.from(document.querySelectorAll('dialog[open]'), ({ scrollWidth }) => scrollWidth),
    ),
  )
}
