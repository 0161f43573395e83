import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Angler } from './fixtures/angler.ts'
import { expect, test } from './fixtures/journey.ts'
import { delivery } from '#test/storefront-calls/shopping.ts'
import { aPaidOrder, anOrder } from './fixtures/order-over-api.ts'

const orderRow = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })

test('who is not signed in is sent to /auth, and a customer finds no way in', async ({ angler, shop }) => {
  const { page } = angler
  await page.goto('/admin')
  await expect(page).toHaveURL(`${shop.url}/auth?redirect=%2Fadmin`)

  await angler.signUp()
  await page.goto('/admin/orders')
  await expect(page).toHaveURL(`${shop.url}/`)
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toHaveCount(0)
})

test('an admin who asks for /admin gets there by signing in', async ({ page, shop }) => {
  await page.goto('/admin')
  await new Angler(page).signIn(shop.admin)

  await expect(page).toHaveURL(`${shop.url}/admin`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('the page itself carries no orders', async ({ shop }) => {
  const { email, number } = await aPaidOrder(shop)

  const html = await (await fetch(`${shop.url}/admin/orders`)).text()

  expect(html).not.toContain(email)
  expect(html).not.toContain(number)
})

test('an order is looked at and shipped with a courier who is new, and the customer hears of it', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const courier = `Kite Couriers ${order.number}`
  await page.getByRole('link', { name: 'Orders', exact: true }).click()

  await orderRow(page, order.number).getByRole('link', { name: order.number, exact: true }).click()
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await expect(details).toContainText('Slow Sinking Stick Bait (180mm/150G)')
  await expect(details).toContainText('With Hooks')
  await expect(details).toContainText('14 Beach Road, Durban, KwaZulu-Natal, 4001')
  const ship = details.getByRole('button', { name: 'Update Tracking & Ship Order' })
  await expect(ship).toBeDisabled()

  await details.getByLabel('Courier Company').selectOption('+ Create New Courier')
  await details.getByLabel('Courier Name').fill(courier)
  await details.getByLabel('Contact Person').fill('Anele')
  await details.getByLabel('Contact Phone').fill('021 555 0101')
  await details.getByRole('button', { name: 'Add Courier' }).click()
  await expect(page.getByText('Courier company added')).toBeVisible()
  await details.getByLabel('Tracking Number').fill('KC-10042')
  await ship.click()

  await expect(page.getByText('Tracking number updated and order marked as shipped')).toBeVisible()
  await details.getByRole('button', { name: 'Close' }).click()
  await expect(orderRow(page, order.number)).toContainText('KC-10042')
  await expect(orderRow(page, order.number).getByRole('combobox')).toHaveValue('shipped')
  const mail = await shop.mailbox.waitFor(
    ({ recipients, subject }) =>
      recipients.includes(delivery.email) && subject === `Order ${order.number.slice(1)}: Shipped`,
  )
  expect(mail.text).toContain('KC-10042')
  expect(mail.text).toContain(courier)
})

test('shipped asks for tracking number and courier, and what changes no money is set at once', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
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
})

test('an order that awaits its payment can only be cancelled', async ({ brother: { page }, shop }) => {
  const order = await anOrder(shop)
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
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
})

test('deleting asks first, and then the order is gone', async ({ brother: { page }, shop }) => {
  const order = await anOrder(shop)
  await page.getByRole('link', { name: 'Orders', exact: true }).click()

  await page.getByRole('button', { name: `Delete order ${order.number}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Order' })
  await expect(dialog).toContainText(
    'Are you sure you want to delete this order? This action cannot be undone and will permanently delete the order and all associated items.',
  )
  await dialog.getByRole('button', { name: 'Delete Order' }).click()

  await expect(page.getByText('Order deleted successfully')).toBeVisible()
  await expect(orderRow(page, order.number)).toHaveCount(0)
})

test('a list that cannot be loaded says so and can be asked again', async ({ brother: { page } }) => {
  await page.route('**/rest/v1/orders*', (route) => route.abort())
  await page.getByRole('link', { name: 'Orders', exact: true }).click()

  await expect(page.getByRole('heading', { name: 'Orders could not be loaded' })).toBeVisible()
  await page.unroute('**/rest/v1/orders*')
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect(page.getByRole('heading', { name: 'Orders could not be loaded' })).toHaveCount(0)
})

test('a product that is created here is on the shelf at once, and can be taken off it', async ({
  brother: { page },
  angler,
}) => {
  const name = `Copper Spoon ${crypto.randomUUID().slice(0, 8)}`
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Product' })
  await dialog.getByLabel('Product Name').fill(name)
  await dialog.getByLabel('Price (ZAR)').fill('85.50')
  await dialog.getByLabel('Stock Quantity').fill('4')
  await dialog.getByRole('button', { name: 'Create Product' }).click()
  await expect(page.getByText('Product created successfully')).toBeVisible()

  await angler.page.goto('/products')
  await expect(angler.page.getByRole('article', { name })).toContainText('R85.50')

  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await expect(page.getByText('Are you sure you want to delete this product?')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Product deleted successfully')).toBeVisible()
})

test('a promo code is made, switched off and deleted', async ({ brother: { page } }) => {
  const code = `SPRING-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  await page.getByRole('link', { name: 'Promo Codes', exact: true }).click()
  await page.getByRole('button', { name: 'Add Promo Code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Promo Code' })
  await dialog.getByLabel('Code', { exact: true }).fill(code.toLowerCase())
  await dialog.getByLabel('Discount Value (%)').fill('10')
  await dialog.getByRole('button', { name: 'Create Promo Code' }).click()
  await expect(page.getByText('Promo code created')).toBeVisible()

  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('0 / Unlimited')
  await row.getByRole('switch').click()
  await expect(page.getByText('Promo code status updated')).toBeVisible()
  await expect(row).toContainText('Inactive')

  await row.getByRole('button', { name: `Delete ${code}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Promo code deleted')).toBeVisible()
})

test('a client is edited and written to', async ({ brother: { page }, shop }) => {
  const { email } = await anOrder(shop)
  await page.getByRole('link', { name: 'Clients', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: email })

  await row.getByRole('button', { name: 'Edit Sipho Dlamini' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Client' })
  await expect(edit.getByLabel('Email')).not.toBeEditable()
  await edit.getByLabel('City').fill('Mbotyi')
  await edit.getByLabel('State').fill('Eastern Cape')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Client updated successfully')).toBeVisible()
  await expect(row).toContainText('Mbotyi, Eastern Cape')

  await row.getByRole('button', { name: 'Send email to Sipho Dlamini' }).click()
  const letter = page.getByRole('dialog', { name: 'Send Email' })
  await expect(letter.getByRole('button', { name: 'Send Email' })).toBeDisabled()
  await letter.getByLabel('Subject').fill('Your lure is drying')
  await letter.getByLabel('Message').fill('Two coats to go.')
  await letter.getByRole('button', { name: 'Send Email' }).click()
  await expect(page.getByText('Email sent successfully')).toBeVisible()
  await shop.mailbox.waitFor(
    ({ recipients, subject }) => recipients.includes(email) && subject === 'Your lure is drying',
  )

  await row.getByRole('checkbox', { name: 'Select Sipho Dlamini' }).check()
  const file = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export CSV' }).click()
  expect(await readFile(await (await file).path(), 'utf8')).toMatch(
    new RegExp(`^\uFEFFName;Email;Phone;.*\r\nSipho Dlamini;${email};.*Mbotyi;Eastern Cape;.*\r\n$`),
  )
})

test('a photo is approved and is then public', async ({ brother: { page }, staff, shop }) => {
  const name = `Lerato ${crypto.randomUUID().slice(0, 8)}`
  const picture = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  await staff.from('gallery_submissions').insert({
    customer_name: name,
    email: 'lerato@example.com',
    description: 'On the deck at first light',
    image_url: picture,
    image_urls: [picture],
    status: 'pending',
  })
  await page.getByRole('link', { name: 'Gallery', exact: true }).click()
  const card = page.getByRole('article').filter({ hasText: name })

  await expect(card).toContainText('lerato@example.com')
  await card.getByRole('button', { name: 'Approve' }).click()

  await expect(page.getByText('Photo approved successfully.')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  const { publishable } = await shop.keys()
  const response = await fetch(
    `${shop.url}/rest/v1/gallery_submissions?select=customer_name&status=eq.approved`,
    {
      headers: { apikey: publishable },
    },
  )
  expect(await response.text()).toContain(name)
})

// Not as the brother of the other tests: his session is still needed.
test('an admin comes in by the account menu, and signing out leads home', async ({ angler, shop }) => {
  const { page } = angler
  await page.goto('/auth')
  await angler.signIn(shop.admin)
  await page.getByRole('button', { name: 'My Account' }).click()
  await page.getByRole('link', { name: 'Admin Panel' }).click()
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()

  await page.getByRole('button', { name: 'Sign Out' }).click()

  await expect(page).toHaveURL(`${shop.url}/`)
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('total revenue opens its breakdown', async ({ brother: { page }, shop }) => {
  const order = await aPaidOrder(shop)
  await page.reload()

  await page.getByRole('button', { name: /Total Revenue/ }).click()

  const dialog = page.getByRole('dialog', { name: 'Revenue Breakdown' })
  await expect(dialog.getByRole('row').filter({ hasText: order.id.slice(0, 8) })).toContainText('R600.00')
})

test('a list asks twice before it gives up, and not again because the window has the focus', async ({
  brother: { page },
}) => {
  let asked = 0
  await page.route('**/rest/v1/promo_code_results*', (route) => {
    asked += 1
    return asked > 2 ? route.continue() : route.abort()
  })
  await page.getByRole('link', { name: 'Promo Codes', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Promo Codes could not be loaded' })).toBeVisible()
  expect(asked).toBe(2)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('cell', { name: '5OFFFIRST' }).first()).toBeVisible()
  expect(asked).toBe(3)

  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    dispatchEvent(new Event('focus'))
  })
  await page.getByRole('link', { name: 'Gallery', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Gallery' })).not.toHaveAttribute('aria-busy', 'true')

  expect(asked).toBe(3)
})
