import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { uploadPhoto } from '#test/gallery-photo.ts'
import { allowClipboard } from './fixtures/clipboard.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { openLive } from './fixtures/live.ts'
import { anOrder } from './fixtures/order-over-api.ts'
import type { OpenShop } from './shop.ts'

/** The admin specification quotes these texts letter for letter. */

interface Desk {
  page: Page
  shop: OpenShop
  staff: SupabaseClient
}

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name, exact: true })
const rowOf = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
const unique = (word: string) => `${word} ${crypto.randomUUID().slice(0, 8)}`

test('products and promo codes are created, changed and deleted', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const desk = { page, shop, staff }
  // Before the lists are opened, so that none is loaded twice.
  const hooked = await aProduct(staff, { price: 110, price_with_hooks: 142 })
  const disputed = await aProduct(staff, { price: 110, stock_quantity: 4 })
  const expired = await anExpiredCode(staff)
  // covers A2.25 A2.26 A3.4 A5.4 A8.7 A8.8
  await test.step('a new product is in the shop at once, is edited and is deleted', () => editProduct(desk))
  await test.step('raising a price above the price with hooks asks for confirmation', () =>
    raisePrice(desk, hooked))
  await test.step('“Keep mine” saves what the form shows, and a change of stock offers no Undo', () =>
    keepMine(desk, disputed))
  // covers A8.1 A9.6 A6 S9.14
  await test.step('a list that fails to load is retried once and then shows an error', () =>
    expectListRetry(page))
  // covers A2.28 A2.29 A3.5 A4.13 A5.3 A8.9 A27
  await test.step('an admin creates, deactivates and deletes a promo code in the specified form', () =>
    editPromoCode(page))
  // covers A2.28 A8.10
  await test.step('an admin renews an expired promo code that someone else has changed meanwhile', () =>
    renewPromoCode(desk, expired))
})

test('an admin edits and e-mails clients, and approves and declines photos', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const desk = { page, shop, staff }
  const { email } = await anOrder(shop)
  const photos = {
    declined: await aPhoto(staff),
    edited: await aPhoto(staff),
    decided: await aPhoto(staff, new URL(await uploadPhoto(staff)).pathname),
    waiting: await aPhoto(staff, new URL(await uploadPhoto(staff)).pathname),
  }

  // covers A2.21 A2.22 A8.6 A4 A28
  await test.step('a client is shown read-only, edited and exported', () => editClient(page, email))
  // covers A2.23 A5.2 A8.6
  await test.step('an admin’s e-mail needs a subject and a message, and reaches the client', () =>
    sendEmail(desk, email))
  // covers A2.30 A2.31 A4.10 A8.11
  await test.step('the gallery counts, declines and edits photos, and shows which call failed', () =>
    declinePhoto(page, photos.declined))
  await test.step('a photo’s form saves no lure or e-mail over a colleague’s', () =>
    keepLure(desk, photos.edited))
  await test.step('a photo’s form keeps typed text when a verdict takes the photo off the list', () =>
    keepCorrection(desk))
  await test.step('a verdict about one gallery photo does not download the others again', () =>
    keepPhotoAddresses(page, photos))
})

async function editProduct({ page, shop }: Desk): Promise<void> {
  const name = unique('Copper Spoon')
  await tab(page, 'Products').click()
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Product' })
  for (const label of ['Product Name', 'Category', 'Stock Quantity', 'Description', 'Image URL']) {
    await expect(dialog.getByLabel(label, { exact: false }).first()).toBeVisible()
  }
  await expect(dialog.getByLabel('Price (ZAR)')).toHaveAttribute('step', '0.01')
  await expect(dialog.getByLabel('Price (ZAR)')).toHaveValue('0')
  for (const label of ['Product Name', 'Price (ZAR)', 'Stock Quantity']) {
    await expect(dialog.getByLabel(label)).toHaveAttribute('required')
  }
  await dialog.getByLabel('Product Name').fill(name)
  await dialog.getByLabel('Price (ZAR)').fill('85.50')
  await dialog.getByLabel('Stock Quantity').fill('4')
  await dialog.getByRole('button', { name: 'Create Product' }).click()
  await expect(page.getByText('Product created successfully')).toBeVisible()
  const shelf = await (await fetch(`${shop.url}/products`)).text()
  expect(shelf).toContain(name)
  expect(shelf).toContain('R85.50')

  const row = rowOf(page, name)
  await expect(row.getByRole('cell', { name: 'N/A' })).toBeVisible()
  await row.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Product' })
  await edit.getByLabel('Price (ZAR)').fill('95.50')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Product updated successfully')).toBeVisible()
  await expect(row).toContainText('R95.50')

  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await expect(page.getByText('Are you sure you want to delete this product?')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Product deleted successfully')).toBeVisible()
}

async function aProduct(
  staff: SupabaseClient,
  values: { price: number; price_with_hooks?: number; stock_quantity?: number },
): Promise<string> {
  const name = unique('Spoon')
  await staff
    .from('products')
    .insert({ name, description: '', ...values })
    .throwOnError()
  return name
}

async function raisePrice({ page, staff }: Desk, name: string): Promise<void> {
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Product' })
  await expect(edit.getByLabel('Price With Hooks (ZAR)')).toHaveValue('142')

  await edit.getByLabel('Price (ZAR)').fill('300')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(edit.getByText('This is less than the price without hooks.')).toBeVisible()
  await edit.getByLabel('Price With Hooks (ZAR)').fill('332')
  await edit.getByRole('button', { name: 'Save Changes' }).click()

  await expect(edit).toBeHidden()
  const { data } = await staff.from('products').select('price, price_with_hooks').eq('name', name).single()
  expect(data).toEqual({ price: 300, price_with_hooks: 332 })
}

async function dismissToasts(page: Page): Promise<void> {
  const dismiss = page.getByRole('button', { name: 'Dismiss', exact: true })
  while ((await dismiss.count()) > 0) await dismiss.first().click() // oxlint-disable-line no-await-in-loop -- one after the other
}

const conflictIn = (dialog: Locator) =>
  dialog.getByRole('alert').filter({ hasText: 'Changed in the meantime' })

async function keepMine({ page, staff }: Desk, name: string): Promise<void> {
  await dismissToasts(page)
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Product' })
  await edit.getByLabel('Price (ZAR)').fill('120')
  await edit.getByLabel('Stock Quantity').fill('6')
  await staff.from('products').update({ price: 115 }).eq('name', name)
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(conflictIn(edit)).toContainText('Yours: R120.00')
  await edit.getByLabel('Price (ZAR)').fill('')
  await conflictIn(edit).getByRole('button', { name: 'Keep mine' }).click()
  await expect(edit.getByLabel('Price (ZAR)')).toBeFocused()
  await edit.getByLabel('Price (ZAR)').fill('125')
  await conflictIn(edit).getByRole('button', { name: 'Keep mine' }).click()

  await expect(edit).toBeHidden()
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0)
  const { data } = await staff.from('products').select('price, stock_quantity').eq('name', name).single()
  expect(data).toEqual({ price: 125, stock_quantity: 6 })
}

/** Opens the list for the first time after a reload, and leaves it open. */
async function expectListRetry(page: Page): Promise<void> {
  let requestCount = 0
  const results = '**/rest/v1/promo_code_results*'
  await intercept(page, results, (route) => {
    requestCount += 1
    return requestCount > 2 ? route.continue() : route.abort()
  })
  await tab(page, 'Promo Codes').click()
  const failure = page.getByRole('heading', { name: 'Promo Codes could not be loaded' })
  await expect(failure).toBeVisible()
  expect(requestCount).toBe(2)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('cell', { name: '5OFFFIRST' }).first()).toBeVisible()
  await expect(failure).toHaveCount(0)
  expect(requestCount).toBe(3)

  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    dispatchEvent(new Event('focus'))
  })
  await tab(page, 'Gallery').click()
  await expect(page.getByRole('region', { name: 'Gallery' })).not.toHaveAttribute('aria-busy', 'true')
  expect(requestCount).toBe(3)
  await page.unroute(results)
  await tab(page, 'Promo Codes').click()
}

async function editPromoCode(page: Page): Promise<void> {
  const code = unique('SPRING').replace(' ', '-').toUpperCase()
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
  await create.getByLabel('Discount Type').selectOption('Percentage')
  await create.getByLabel('Code', { exact: true }).fill(code.toLowerCase())
  await create.getByLabel('Discount Value (%)').fill('10')
  await create.getByRole('button', { name: 'Create Promo Code' }).click()
  await expect(page.getByText('Promo code created')).toBeVisible()

  const row = rowOf(page, code)
  await expect(row).toContainText('0 / Unlimited')
  await row.getByRole('switch').click()
  await expect(page.getByText('Promo code status updated')).toBeVisible()
  await expect(row).toContainText('Inactive')

  await row.getByRole('button', { name: `Delete ${code}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Promo code deleted')).toBeVisible()
}

async function anExpiredCode(staff: SupabaseClient): Promise<string> {
  const code = unique('TEXT').replace(' ', '-').toUpperCase()
  await staff
    .from('promo_codes')
    .insert({
      code,
      discount_type: 'fixed',
      discount_value: 50,
      expires_at: '2020-01-01T00:00:00Z',
      usage_limit: 3,
    })
    .throwOnError()
  return code
}

async function renewPromoCode({ page, staff }: Desk, code: string): Promise<void> {
  await allowClipboard(page.context())
  const row = rowOf(page, code)
  await expect(row).toContainText('0 / 3')
  await row.getByRole('button', { name: `Copy ${code}` }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: `Edit ${code}`, exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Promo Code' })
  await edit.getByLabel('Expiry Date', { exact: false }).fill('')
  await staff.from('promo_codes').update({ discount_value: 60 }).eq('code', code)
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(conflictIn(edit)).toContainText('Yours: 50')
  await edit.getByLabel('Usage Limit', { exact: false }).first().fill('5')
  await conflictIn(edit).getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByText('Promo code updated')).toBeVisible()
  await expect(row).toContainText('Never')
  await expect(row).toContainText('0 / 5')
}

async function editClient(page: Page, email: string): Promise<void> {
  await tab(page, 'Clients').click()
  const row = rowOf(page, email)
  await expect(row.getByRole('cell', { name: 'N/A' })).not.toHaveCount(0)
  await row.getByRole('button', { name: 'View Sipho Dlamini' }).click()
  const view = page.getByRole('dialog', { name: 'Client Details' })
  for (const label of ['Full Name', 'Email', 'Phone', 'Address', 'City', 'State', 'Zip Code']) {
    await expect(view.getByLabel(label, { exact: true })).not.toBeEditable()
  }
  await view.getByRole('button', { name: 'Close' }).click()

  await row.getByRole('button', { name: 'Edit Sipho Dlamini' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Client' })
  await expect(edit.getByLabel('Email')).not.toBeEditable()
  await edit.getByLabel('City').fill('Mbotyi')
  await edit.getByLabel('State').fill('Eastern Cape')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Client updated successfully')).toBeVisible()
  await expect(row).toContainText('Mbotyi, Eastern Cape')

  const box = row.getByRole('checkbox', { name: 'Select Sipho Dlamini' })
  await box.check()
  const file = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export CSV' }).click()
  expect(await readFile(await (await file).path(), 'utf8')).toMatch(
    new RegExp(`^\uFEFFName;Email;Phone;.*\r\nSipho Dlamini;${email};.*Mbotyi;Eastern Cape;.*\r\n$`),
  )
  await box.uncheck()
}

async function sendEmail({ page, shop }: Desk, email: string): Promise<void> {
  await rowOf(page, email).getByRole('button', { name: 'Send email to Sipho Dlamini' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send Email' })
  const send = dialog.getByRole('button', { name: 'Send Email' })
  await expect(dialog.getByLabel('To')).not.toBeEditable()
  await expect(send).toBeDisabled()
  // The button is disabled and Enter has no effect, so submit the form by script.
  await dialog.locator('form').evaluate((form) => form instanceof HTMLFormElement && form.requestSubmit())
  await expect(page.getByText('Please fill in all fields')).toBeVisible()

  await dialog.getByLabel('Subject').fill('Your lure is drying')
  await dialog.getByLabel('Message').fill('Two coats to go.')
  await send.click()
  await expect(page.getByText('Email sent successfully')).toBeVisible()
  await shop.mailbox.waitFor(
    ({ recipients, subject }) => recipients.includes(email) && subject === 'Your lure is drying',
  )

  await rowOf(page, email).getByRole('button', { name: 'Send email to Sipho Dlamini' }).click()
  await dialog.getByLabel('Subject').fill('Your lure is drying')
  await dialog.getByLabel('Message').fill('Two coats to go.')
  await send.click()
  await expect(page.getByText('E-mail not sent again')).toBeVisible()
  await dialog.getByLabel('Message').fill('One coat to go.')
  await send.click()
  await expect(dialog).toBeHidden()
}

const SITE_PHOTO = '/storage/v1/object/public/site/gallery/01-deck.jpg'

async function aPhoto(staff: SupabaseClient, picture = SITE_PHOTO): Promise<string> {
  const name = unique('Naledi')
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

async function declinePhoto(page: Page, name: string): Promise<void> {
  const changes = /rest\/v1\/(rpc\/review_photo|gallery_submissions\?id=)/
  await tab(page, 'Gallery').click()
  for (const counter of ['Pending Review', 'Approved', 'Declined']) {
    await expect(page.getByRole('main').getByText(counter, { exact: true }).first()).toBeVisible()
  }
  const card = page.getByRole('article').filter({ hasText: name })
  await intercept(page, changes, (route) => route.abort())
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
}

async function keepLure({ page, staff }: Desk, name: string): Promise<void> {
  const card = page.getByRole('article').filter({ hasText: name })
  await card.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Submission' })
  const description = dialog.getByLabel('Description')
  await description.fill('Caught at the river mouth')
  const { data: lure } = await staff.from('products').select('id, name').limit(1).single()
  const photo = () => staff.from('gallery_submissions')
  await photo().update({ product_id: lure?.id, email: 'naledi@example.org' }).eq('customer_name', name)

  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  const conflict = dialog.getByRole('alert')
  await expect(conflict).toContainText(`LureNow: ${lure?.name}Yours: nothing`)
  await conflict.getByRole('button', { name: 'Use theirs' }).click()
  await expect(dialog.getByLabel('Lure')).toHaveValue(lure?.id)
  await description.fill('Caught at the river mouth')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()

  await expect(dialog).toHaveCount(0)
  const { data } = await photo()
    .select('description, product_id, gallery_contacts(email)')
    .eq('customer_name', name)
    .single()
  expect(data).toEqual({
    description: 'Caught at the river mouth',
    product_id: lure?.id,
    gallery_contacts: { email: 'naledi@example.org' },
  })
}

/** New signatures are new addresses, which the browser would download again. */
async function keepPhotoAddresses(
  page: Page,
  { decided, waiting }: Record<'decided' | 'waiting', string>,
): Promise<void> {
  await page.goto('/admin/gallery')
  const cardOf = (name: string) => page.getByRole('article', { name: `Photo from ${name}` })
  const signed = /object\/sign\/gallery-private/
  await expect(cardOf(decided).getByRole('img')).toHaveAttribute('src', signed)
  const before = await cardOf(waiting).getByRole('img').getAttribute('src')
  expect(before).toMatch(signed)

  await cardOf(decided).getByRole('button', { name: 'Approve' }).click()
  await expect(cardOf(decided).getByRole('img')).toHaveAttribute('src', /object\/public\/gallery/)
  await cardOf(decided).getByRole('button', { name: 'Undo' }).click()
  await expect(cardOf(decided).getByRole('img')).toHaveAttribute('src', signed)

  await expect(cardOf(waiting).getByRole('img')).toHaveAttribute('src', before ?? '')
}

async function keepCorrection({ page, staff }: Desk): Promise<void> {
  const name = await aPhoto(staff)
  await openLive(page, `/admin/gallery?status=pending&search=${encodeURIComponent(name)}`)
  const card = page.getByRole('article').filter({ hasText: name })
  await card.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Submission' })
  const description = dialog.getByLabel('Description')
  await description.fill('Caught at the river mouth')
  for (const verdict of ['Approve', 'Decline']) {
    await dialog.getByRole('button', { name: verdict }).click()
    await page
      .getByRole('dialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
  }

  await staff.from('gallery_submissions').update({ status: 'approved' }).eq('customer_name', name)
  await expect(card).toHaveCount(0)
  await expect(description).toHaveValue('Caught at the river mouth')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()

  await expect(page.getByText('Submission updated successfully.')).toBeVisible()
  const { data } = await staff
    .from('gallery_submissions')
    .select('status, description')
    .eq('customer_name', name)
    .single()
  expect(data).toEqual({ status: 'approved', description: 'Caught at the river mouth' })
}
