import type { Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder, anOrder } from './fixtures/order-over-api.ts'

/** What the admin specification quotes, letter for letter: docs/admin-specification.md names the tests of each line. */

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name, exact: true })

async function aPhoto(staff: SupabaseClient): Promise<string> {
  const name = `Naledi ${crypto.randomUUID().slice(0, 8)}`
  const picture = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  const { error } = await staff.from('gallery_submissions').insert({
    customer_name: name,
    email: 'naledi@example.com',
    description: 'Caught at the mouth',
    image_url: picture,
    image_urls: [picture],
    status: 'pending',
  })
  if (error) throw error
  return name
}

test('header, six tabs and the columns of each table are as specified', async ({
  brother: { page },
  shop,
}) => {
  await aPaidOrder(shop)
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
})

test('the four cards of the dashboard lead to their tabs, and the breakdown has its columns', async ({
  brother: { page },
  shop,
}) => {
  await aPaidOrder(shop)
  await page.reload()
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
})

test('an order shows what it holds, offers five statuses, and says when its items do not come', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  await tab(page, 'Orders').click()
  const row = page.getByRole('row').filter({ hasText: order.number })
  await expect(row).toContainText('Thandi Mokoena')
  await expect(row).toContainText('thandi@example.com')
  await expect(row).toContainText('R600.00')
  await expect(row.getByRole('cell', { name: '-', exact: true })).toBeVisible()
  await expect(row.getByRole('option')).toHaveText(['New', 'Processing', 'Shipped', 'Delivered', 'Cancelled'])

  await page.route('**/rest/v1/order_items*', (route) => route.abort())
  await page.goto(`/admin/orders/${order.id}`)
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await expect(details.getByRole('region', { name: 'Items' })).toContainText('Failed to load order items')
  await page.unroute('**/rest/v1/order_items*')
  await page.reload()
  await expect(details).toContainText('With Hooks')
  await expect(details).toContainText('Total Amount')
  await expect(details).toContainText('This marks the order as shipped and e-mails the customer.')
  await details.getByLabel('Courier Company').selectOption('+ Create New Courier')
  await expect(details.getByLabel('Contact Person')).toBeVisible()
  await details.getByRole('button', { name: 'Cancel', exact: true }).first().click()
  await expect(details.getByLabel('Contact Person')).toHaveCount(0)

  await page.route('**/rest/v1/order_items*', (route) => route.fulfill({ json: [] }))
  await page.reload()
  await expect(details).toContainText('No items found')
})

test('deleting says that it is busy, and a call that fails is told in the backend’s words', async ({
  brother: { page },
  shop,
}) => {
  const order = await anOrder(shop)
  await tab(page, 'Orders').click()
  const answered = Promise.withResolvers<void>()
  await page.route('**/rest/v1/order_items*', async (route) => {
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
  answered.resolve()

  const toast = page.getByRole('alert').filter({ hasText: 'The shelf fell over' })
  await expect(toast).toContainText('Error')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('row').filter({ hasText: order.number })).toBeVisible()
})

test('a client is shown read-only, and a letter needs subject and message', async ({
  brother: { page },
  shop,
}) => {
  const { email } = await anOrder(shop)
  await tab(page, 'Clients').click()
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row.getByRole('cell', { name: 'N/A' })).not.toHaveCount(0)

  await row.getByRole('button', { name: 'View Sipho Dlamini' }).click()
  const view = page.getByRole('dialog', { name: 'Client Details' })
  for (const label of ['Full Name', 'Email', 'Phone', 'Address', 'City', 'State', 'Zip Code']) {
    await expect(view.getByLabel(label, { exact: true })).not.toBeEditable()
  }
  await view.getByRole('button', { name: 'Close' }).click()
  await row.getByRole('button', { name: 'Send email to Sipho Dlamini' }).click()
  const letter = page.getByRole('dialog', { name: 'Send Email' })
  await expect(letter.getByLabel('To')).not.toBeEditable()
  // The button is disabled and Enter does nothing then; whatever else submits the form is told.
  await letter.locator('form').evaluate((form) => form instanceof HTMLFormElement && form.requestSubmit())

  await expect(page.getByText('Please fill in all fields')).toBeVisible()
})

test('a promo code’s form has the specified fields and defaults, and the list says what became of it', async ({
  brother: { page },
  staff,
}) => {
  const code = `TEXT-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  await staff.from('promo_codes').insert({
    code,
    discount_type: 'fixed',
    discount_value: 50,
    expires_at: '2020-01-01T00:00:00Z',
    usage_limit: 3,
  })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await tab(page, 'Promo Codes').click()
  await page.getByRole('button', { name: 'Add Promo Code' }).click()
  const create = page.getByRole('dialog', { name: 'Create Promo Code' })
  await expect(create.getByLabel('Discount Type').getByRole('option')).toHaveText([
    'Percentage',
    'Fixed Amount',
  ])
  await expect(create.getByLabel('Minimum Order Amount (R)')).toHaveValue('0')
  await expect(create.getByLabel('Usage Limit', { exact: false })).toHaveAttribute('placeholder', 'Unlimited')
  await expect(create.getByLabel('Expiry Date', { exact: false })).toHaveAttribute('type', 'datetime-local')
  await expect(create.getByRole('switch', { name: 'Active' })).toBeChecked()
  await expect(create.getByRole('switch', { name: 'Free Shipping' })).not.toBeChecked()
  await create.getByLabel('Discount Type').selectOption('Fixed Amount')
  const value = create.getByLabel('Discount Value (R)')
  await expect(value).toHaveAttribute('step', '0.01')
  await expect(value).toHaveAttribute('min', '0')
  await create.getByRole('button', { name: 'Cancel' }).click()

  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('0 / 3')
  await row.getByRole('button', { name: `Copy ${code}` }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: `Edit ${code}`, exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Promo Code' })
  await edit.getByLabel('Expiry Date', { exact: false }).fill('')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Promo code updated')).toBeVisible()
  await expect(row).toContainText('Never')
})

test('the gallery counts, declines, edits, and says what failed', async ({ brother: { page }, staff }) => {
  const name = await aPhoto(staff)
  const changes = /rest\/v1\/(rpc\/judge_photo|gallery_submissions\?id=)/
  await tab(page, 'Gallery').click()
  for (const counter of ['Pending Review', 'Approved', 'Declined']) {
    await expect(page.getByRole('main').getByText(counter, { exact: true }).first()).toBeVisible()
  }
  const card = page.getByRole('article').filter({ hasText: name })
  await page.route(changes, (route) => route.abort())
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Failed to update photo status')).toBeVisible()
  await card.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Submission' })
  await dialog.getByLabel('Description').fill('Caught at the river mouth')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Failed to update submission')).toBeVisible()
  await page.unroute(changes)
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Submission updated successfully.')).toBeVisible()
  await expect(card).toContainText('Caught at the river mouth')

  await card.getByRole('button', { name: 'Decline' }).click()
  await page
    .getByRole('dialog', { name: `Decline the photo from ${name}` })
    .getByRole('button', { name: 'Decline' })
    .click()
  await expect(page.getByText('Photo declined successfully.')).toBeVisible()
})

test('a product’s form has the specified fields, and says when it is saved', async ({
  brother: { page },
  staff,
}) => {
  const name = `Brass Spoon ${crypto.randomUUID().slice(0, 8)}`
  await staff
    .from('products')
    .insert({ name, price: 90, description: '', stock_quantity: 1, status: 'draft' })
  await tab(page, 'Products').click()
  await page.getByRole('button', { name: 'Add Product' }).click()
  const create = page.getByRole('dialog', { name: 'Create New Product' })
  for (const label of ['Product Name', 'Category', 'Stock Quantity', 'Description', 'Image URL']) {
    await expect(create.getByLabel(label, { exact: false }).first()).toBeVisible()
  }
  await expect(create.getByLabel('Price (ZAR)')).toHaveAttribute('step', '0.01')
  await expect(create.getByLabel('Price (ZAR)')).toHaveValue('0')
  for (const label of ['Product Name', 'Price (ZAR)', 'Stock Quantity']) {
    await expect(create.getByLabel(label)).toHaveAttribute('required')
  }
  await create.getByRole('button', { name: 'Cancel' }).click()

  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row.getByRole('cell', { name: 'N/A' })).toBeVisible()
  await row.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Product' })
  await edit.getByLabel('Price (ZAR)').fill('95.50')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Product updated successfully')).toBeVisible()
  await expect(row).toContainText('R95.50')
})

test('raising a price above the price with hooks asks before both are saved', async ({
  brother: { page },
  staff,
}) => {
  const name = `Hooked ${crypto.randomUUID().slice(0, 8)}`
  await staff.from('products').insert({ name, description: '', price: 110, price_with_hooks: 142 })
  await page.goto('/admin/products')
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Product' })
  await expect(edit.getByLabel('Price With Hooks (ZAR)')).toHaveValue('142')

  await edit.getByLabel('Price (ZAR)').fill('300')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(edit.getByText('Less than the price without hooks.')).toBeVisible()
  await edit.getByLabel('Price With Hooks (ZAR)').fill('332')
  await edit.getByRole('button', { name: 'Save Changes' }).click()

  await expect(page.getByText('Product updated successfully')).toBeVisible()
  const { data } = await staff.from('products').select('price, price_with_hooks').eq('name', name).single()
  expect(data).toEqual({ price: 300, price_with_hooks: 332 })
})
