import type { Page } from '@playwright/test'
import { STICK_BAIT } from '#test/product-names.ts'
import { expect, test } from './fixtures/journey.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { anOrder } from './fixtures/order-over-api.ts'

async function fillDelivery(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full Name').fill('Kobus Fourie')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Phone').fill('083 555 0199')
  await page.getByLabel('Delivery', { exact: true }).selectOption('Door to door')
  await page.getByLabel('Street Address').fill('3 Marine Drive')
  await page.getByLabel('City').fill('Hermanus')
  await page.getByLabel('Postal Code').fill('7200')
  await page.getByLabel('State/Province').selectOption('Western Cape')
}

/** The first lure of the list may be one that another journey has added. */
async function addStickBait(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add lure' }).click()
  const colours = page.getByLabel('Lure and colour')
  const colour = await colours.getByRole('option', { name: STICK_BAIT }).first().getAttribute('value')
  await colours.selectOption(colour)
}

/** As by hand: `fill` replaces the value without clearing it first. */
async function clearQuantity(page: Page): Promise<void> {
  await page.getByLabel('Quantity').press('End')
  await page.keyboard.press('Backspace')
}

test('staff enter orders by phone, at an expo and with changed items at the shop’s prices', async ({
  adminPage: page,
  shop,
}) => {
  const unpaid = await anOrder(shop)
  const buyer = `kobus-${crypto.randomUUID()}@example.com`
  const visitor = `expo-${crypto.randomUUID()}@example.com`
  const sum = page.getByLabel('Order total')
  const details = page.getByRole('dialog', { name: 'Order Details' })
  const record = details.getByRole('region', { name: 'Payment record' })
  const timeline = details.getByRole('region', { name: 'Timeline' })
  const create = () => page.getByRole('button', { name: 'Create order' }).click()
  const openForm = () => page.getByRole('link', { name: 'Create order' }).click()
  await page.goto(`/admin/orders/${unpaid.id}`)

  // covers A15
  await test.step('staff replace an unpaid order with changed items and record the cash payment', async () => {
    await page.getByRole('link', { name: 'Change items' }).click()
    await expect(page.getByRole('heading', { name: `Change items of ${unpaid.number}` })).toBeVisible()
    await page.getByLabel('Quantity').fill('2')
    await expect(sum).toContainText('Difference dueR500.00')
    await page.getByRole('button', { name: 'Replace order' }).click()

    await expect(timeline).toContainText(`In place of ${unpaid.number}`)
    await details.getByRole('button', { name: 'Record payment' }).click()
    const dialog = page.getByRole('dialog', { name: /^Payment of order/ })
    await dialog.getByLabel('Paid in cash').check()
    await dialog.getByRole('button', { name: 'Record payment' }).click()
    await expect(page.getByText('Payment recorded')).toBeVisible()
    await expect(record).toContainText('Paid in cash')
    await expect(dialog).toHaveCount(0)
    await details.getByRole('button', { name: 'Close' }).click()
  })

  // covers A16
  await test.step('staff enter an order by phone with the EFT payment', async () => {
    await openForm()
    await addStickBait(page)
    await clearQuantity(page)
    await expect(page.getByText('Add a lure and its quantity to see the total.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create order' })).toBeDisabled()
    await page.keyboard.type('2')
    await expect(sum).toContainText('R1 000.00')
    await expect(sum).toContainText('R1 100.00')
    await create()
    await expect(page.getByText('Name must be at least 2 characters')).toBeVisible()
    await fillDelivery(page, buyer)
    const reference = page.getByLabel('Reference')
    await reference.fill('FNB 21 Nov')
    // Its price depends on the delivery.
    await expect(page.getByRole('button', { name: 'Create order' })).toBeEnabled()
    const release = await holdResponses(page, '**/rpc/place_staff_order')
    await reference.press('Enter')
    await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled()
    await reference.click({ force: true })
    await page.keyboard.type(' late')
    await expect(reference, 'a word while it saves would be lost').toHaveValue('FNB 21 Nov')
    await release()

    await expect(record).toContainText('Paid by EFT')
    await expect(record).toContainText('Received R1 100.00, FNB 21 Nov')
    await expect(timeline).toContainText('Entered by staff')
    await shop.mailbox.waitFor(({ recipients }) => recipients.includes(buyer))
    await details.getByRole('button', { name: 'Close' }).click()
  })

  // covers A16
  await test.step('staff enter an expo sale without address or shipping fee as delivered', async () => {
    await openForm()
    await addStickBait(page)
    await page.getByLabel('Delivery', { exact: true }).selectOption('Handed over in person')
    await expect(page.getByLabel('Street Address')).toHaveCount(0)
    await expect(sum).toContainText('ShippingR0.00')
    await page.getByLabel('Full Name').fill('Kobus Expo')
    await page.getByLabel('E-mail').fill(visitor)
    await page.getByLabel('Phone').fill('082 555 0000')
    await page.getByLabel('Paid in cash').check()
    await expect(page.getByLabel('Already handed over: mark it as delivered')).toBeChecked()
    await create()

    await expect(details).toContainText('Handed over in person')
    await expect(details).not.toContainText('Shipping Address')
    await expect(details.getByRole('region', { name: 'Tracking and Shipping' })).toHaveCount(0)
    const mail = await shop.mailbox.waitFor(({ recipients }) => recipients.includes(visitor))
    expect(mail.text).toContain('over to you in person')
    expect(mail.text).not.toContain('To your door')

    await details.getByRole('link', { name: 'Invoice' }).click()
    const invoice = page.getByRole('article', { name: /^Invoice/ })
    await expect(invoice).toContainText('Paid in cash')
    await expect(invoice).not.toContainText('Shipping')
  })
})
