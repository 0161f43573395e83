import type { Page } from '@playwright/test'
import { delivery } from '#test/shopping.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { signUpCustomer } from './fixtures/customer.ts'
import { signInAs } from './fixtures/signed-in.ts'
import { expectNotDismissible } from './fixtures/not-dismissible.ts'
import { type ApiOrder, aPaidOrder, anOrder } from './fixtures/order-over-api.ts'
import type { OpenShop } from './shop.ts'

/** The admin specification quotes these texts letter for letter. */

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name, exact: true })
const orderRow = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })
const orderDetails = (page: Page) => page.getByRole('dialog', { name: 'Order Details' })

// Uses a separate admin, because other tests still need the brother's session.
test('the admin area opens for admins and redirects other visitors', async ({ angler, shop }) => {
  const { page } = angler
  const { client } = await signUpCustomer(shop)

  // covers A1.1 A2.4 A4.14 A6.1 A8.13 S2.9
  await test.step('a visitor is redirected to /auth, and a customer cannot open the admin area', async () => {
    await page.goto('/admin')
    await expect(page).toHaveURL(`${shop.url}/auth?redirect=%2Fadmin`)
    await signInAs(page, { shop, client })
    await page.goto('/admin/orders')
    await expect(page).toHaveURL(`${shop.url}/`)
    await expect(page.getByRole('heading', { name: 'Admin Panel' })).toHaveCount(0)
  })
  // covers S2.9
  await test.step('an admin reaches /admin after the required sign-in', async () => {
    await angler.forgetSession()
    await page.goto('/admin')
    await angler.signIn(shop.admin)
    await expect(page).toHaveURL(`${shop.url}/admin`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  await test.step('an admin whose role cannot be read learns why the admin area is late, and then gets in', async () => {
    const failure = { code: '57014', message: 'canceling statement due to statement timeout' }
    const lookup = '**/rest/v1/user_roles*'
    await intercept(page, lookup, (route) => route.fulfill({ status: 500, json: failure }))
    await page.reload()
    await expect(page.getByRole('alert')).toHaveText('We couldn’t reach the shop. Trying again...')
    await page.unroute(lookup)
    await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
  })
  // covers A2.2 A4.14 A7.10 S2.16 S6.5
  await test.step('an admin opens the admin area from the account menu, and signing out leads home', async () => {
    await page.goto('/faq')
    await page.getByRole('button', { name: 'My Account' }).click()
    await page.getByRole('link', { name: 'Admin Panel' }).click()
    await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(`${shop.url}/`)
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  })
})

test('an admin opens orders from the dashboard and the list, and ships, cancels and deletes orders', async ({
  adminPage: page,
  shop,
}) => {
  const [paid, unpaid, mistaken] = [await aPaidOrder(shop), await anOrder(shop), await anOrder(shop)]

  await test.step('the HTML of an admin page contains no orders', () => expectNoOrderInPage(shop, paid))
  // covers A2.1 A2.3 A2.8 A2.20 A2.24 A2.27 A9.4
  await test.step('the admin area has the specified header, tabs and table columns', () => expectTables(page))
  // covers A1.2 A2.5 A2.6 A2.7 A9.2 A9.5
  await test.step('the dashboard’s cards open the tabs, and total revenue opens the breakdown', () =>
    expectCards(page, paid))
  // covers A2.9 A2.11 A2.12 A2.14 A2.16 A3.2 A4.2 A8.2
  await test.step('an order shows items, offers five statuses and reports items that fail to load', () =>
    expectOrderDetails(page, paid))
  // covers A2.17 A4.5 A5.1 A8.3
  await test.step('choosing Shipped asks for tracking number and courier, and other statuses are set at once', () =>
    expectStatusDialog(page, paid))
  // covers A2.10 A2.11 A2.13 A2.15 A3.6 A4.4 A8.4 A13
  await test.step('an order is shipped with a new courier, and the customer gets an e-mail', () =>
    ship({ page, shop, order: paid }))
  // covers A4.3 A8
  await test.step('an order that awaits payment can only be cancelled', () => cancel(page, unpaid))
  // covers A2.19 A8.1
  await test.step('deleting an order shows a busy state, and a failure shows the backend’s message', () =>
    failToDelete(page, mistaken))
  // covers A2.18 A8.5
  await test.step('deleting an order asks for confirmation', () => deleteOrder(page, mistaken))
})

async function expectNoOrderInPage(shop: OpenShop, { email, number }: ApiOrder): Promise<void> {
  const html = await (await fetch(`${shop.url}/admin/orders`)).text()

  expect(html).not.toContain(email)
  expect(html).not.toContain(number)
}

async function expectTables(page: Page): Promise<void> {
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Home' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link')).toHaveText([
    'Dashboard',
    'Orders',
    'Clients',
    'Products',
    'Promo Codes',
    'Gallery',
  ])
  const columns = {
    Orders: ['Order ID', 'Customer', 'Amount', 'Status', 'Tracking', 'Date', 'Actions'],
    Clients: ['Name', 'Email', 'Phone', 'Location', 'Joined', 'Actions'],
    Products: ['Name', 'Category', 'Price', 'Stock', 'Created', 'Actions'],
    'Promo Codes': [
      'Code',
      'Discount',
      'Min Order',
      'Free Shipping',
      'Usage',
      'Expires',
      'Status',
      'Actions',
    ],
  }
  for (const [name, heads] of Object.entries(columns)) {
    await tab(page, name).click()
    await expect(page.getByRole('heading', { name, exact: true, level: 2 })).toBeVisible()
    await expect(page.getByRole('columnheader')).toContainText(heads)
  }
}

async function expectCards(page: Page, order: ApiOrder): Promise<void> {
  for (const [card, address] of [
    ['Total Orders', '/admin/orders'],
    ['Total Clients', '/admin/clients'],
    ['Total Products', '/admin/products'],
  ]) {
    await tab(page, 'Dashboard').click()
    await page.getByRole('link', { name: new RegExp(`${card}`) }).click()
    await expect(page).toHaveURL(new RegExp(`${address}`))
  }
  await tab(page, 'Dashboard').click()
  await page.getByRole('button', { name: /Total Revenue/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Revenue Breakdown' })
  await expect(dialog.getByRole('columnheader')).toContainText(['Order ID', 'Date', 'Status', 'Amount'])
  await expect(dialog.getByRole('row').nth(1)).toContainText(
    /[0-9a-f]{8}.*\d{4}\/\d{2}\/\d{2}.*R[\d\s]+\.\d{2}/,
  )
  await expect(dialog.getByRole('row').filter({ hasText: order.id.slice(0, 8) })).toContainText('R600.00')
  await page.keyboard.press('Escape')
}

async function expectOrderDetails(page: Page, order: ApiOrder): Promise<void> {
  await tab(page, 'Orders').click()
  const row = orderRow(page, order.number)
  await expect(row).toContainText('Thandi Mokoena')
  await expect(row).toContainText('thandi@example.com')
  await expect(row).toContainText('R600.00')
  await expect(row.getByRole('cell', { name: '-', exact: true })).toBeVisible()
  await expect(row.getByRole('option')).toHaveText(['New', 'Processing', 'Shipped', 'Delivered', 'Cancelled'])

  const items = '**/rest/v1/order_items*'
  await intercept(page, items, (route) => route.fulfill({ json: [] }))
  await page.goto(`/admin/orders/${order.id}`)
  const details = orderDetails(page)
  await expect(details).toContainText('No items found')
  await page.unroute(items)
  await intercept(page, items, (route) => route.abort())
  await page.reload()
  await expect(details.getByRole('region', { name: 'Items' })).toContainText('Failed to load order items')
  await page.unroute(items)
  await page.reload()
  await expect(details).toContainText('With Hooks')
  await expect(details).toContainText('Total Amount')
  await expect(details).toContainText('This marks the order as shipped and e-mails the customer.')
  await details.getByLabel('Courier Company').selectOption('+ Create New Courier')
  await expect(details.getByLabel('Contact Person')).toBeVisible()
  await details.getByRole('button', { name: 'Cancel', exact: true }).first().click()
  await expect(details.getByLabel('Contact Person')).toHaveCount(0)
  await details.getByRole('button', { name: 'Close' }).click()
  await page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Discard' })
    .click()
  await expect(details).toHaveCount(0)
}

async function expectStatusDialog(page: Page, order: ApiOrder): Promise<void> {
  const status = orderRow(page, order.number).getByRole('combobox')
  await status.selectOption('Shipped')
  const dialog = page.getByRole('dialog', { name: `Ship order ${order.number}` })
  await dialog.getByRole('button', { name: 'Mark as Shipped' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'Please enter tracking number and select courier company',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(status).toHaveValue('new')

  await status.selectOption('Processing')
  await expect(page.getByText('Order status updated')).toBeVisible()
  await expect(status).toHaveValue('processing')
}

async function ship({ page, shop, order }: { page: Page; shop: OpenShop; order: ApiOrder }): Promise<void> {
  const courier = `Kite Couriers ${order.number}`
  await orderRow(page, order.number).getByRole('link', { name: order.number, exact: true }).click()
  const details = orderDetails(page)
  await expect(details).toContainText('Slow Sinking Stick Bait (180mm/150G)')
  await expect(details).toContainText('With Hooks')
  await expect(details).toContainText('14 Beach Road, Durban, KwaZulu-Natal, 4001')
  const send = details.getByRole('button', { name: 'Update Tracking & Ship Order' })
  await expect(send).toBeDisabled()

  await details.getByLabel('Courier Company').selectOption('+ Create New Courier')
  await details.getByLabel('Courier Name').fill(courier)
  await details.getByLabel('Contact Person').fill('Anele')
  await details.getByLabel('Contact Phone').fill('021 555 0101')
  await details.getByRole('button', { name: 'Add Courier' }).click()
  await expect(page.getByText('Courier company added')).toBeVisible()
  await details.getByLabel('Tracking Number').fill('KC-10042')
  await send.click()

  await expect(page.getByText('Tracking number updated and order marked as shipped')).toBeVisible()
  await expect(details.getByRole('region', { name: 'Tracking and Shipping' })).toContainText(
    `${courier}, KC-10042`,
  )
  await details.getByRole('button', { name: 'Close' }).click()
  await expect(orderRow(page, order.number)).toContainText('KC-10042')
  await expect(orderRow(page, order.number).getByRole('combobox')).toHaveValue('shipped')
  const mail = await shop.mailbox.waitFor(
    ({ recipients, subject }) =>
      recipients.includes(delivery.email) && subject === `Order ${order.number.slice(1)}: Shipped`,
  )
  expect(mail.text).toContain('KC-10042')
  expect(mail.text).toContain(courier)
}

async function cancel(page: Page, order: ApiOrder): Promise<void> {
  const row = orderRow(page, order.number)
  const status = row.getByRole('combobox')
  await expect(row).toContainText('Awaiting payment')
  await expect(status.getByRole('option')).toHaveText(['Awaiting payment', 'Cancelled'])
  await status.selectOption('Cancelled')
  const dialog = page.getByRole('dialog', { name: `Cancel order ${order.number}` })
  await expect(dialog).toContainText(
    'This cancels 1 order and sends no e-mails. No money has to be refunded.',
  )
  await dialog.getByRole('button', { name: 'Cancel order' }).click()

  await expect(row).toContainText('Not paid')
}

async function failToDelete(page: Page, order: ApiOrder): Promise<void> {
  const items = '**/rest/v1/order_items*'
  const answered = Promise.withResolvers<void>()
  await intercept(page, items, async (route) => {
    await answered.promise
    await route.fulfill({
      status: 500,
      json: { code: 'XX000', message: 'The shelf fell over', details: null, hint: null },
    })
  })
  await page.getByRole('button', { name: `Delete order ${order.number}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Order' })
  await dialog.getByRole('button', { name: 'Delete Order' }).click()
  await expect(dialog.getByRole('button', { name: 'Deleting...' })).toBeDisabled()
  await expectNotDismissible(dialog)
  answered.resolve()

  const toast = page.getByRole('alert').filter({ hasText: 'The shelf fell over' })
  await expect(toast).toContainText('Error')
  await page.unroute(items)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(orderRow(page, order.number)).toBeVisible()
}

async function deleteOrder(page: Page, order: ApiOrder): Promise<void> {
  await page.getByRole('button', { name: `Delete order ${order.number}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Order' })
  await expect(dialog).toContainText(
    'Are you sure you want to delete this order? This action cannot be undone and will permanently delete the order and all associated items.',
  )
  await dialog.getByRole('button', { name: 'Delete Order' }).click()

  await expect(page.getByText('Order deleted successfully')).toBeVisible()
  await expect(orderRow(page, order.number)).toHaveCount(0)
}
