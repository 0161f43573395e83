import type { Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'

interface Desk {
  page: Page
  staff: SupabaseClient
}

test(
  'admin forms show errors at the fields and neither lose typed text nor save twice',
  { tag: '@long' },
  async ({ brother: { page }, staff }) => {
    // covers A5.4
    await test.step('the database’s errors for a product appear at the form’s fields, and typed values stay', () =>
      expectProductRefused(page))
    // covers A6
    await test.step('an offline save fails at once and keeps the form, and a cancelled save is never sent', () =>
      saveWithoutSignal({ page, staff }))
    await test.step('two quick presses on Save send one request', () => saveTwice({ page, staff }))
    await test.step('a new promo code with an existing name shows an error at the name field', () =>
      expectCodeRefused(page))
    await test.step('the page of a deleted order or product shows a not-found message', () =>
      expectGone(page))
    await test.step('an empty required field shows an error and is scrolled into view', () =>
      expectRequired(page))
  },
)

async function newProduct(page: Page) {
  await page.goto('/admin/products')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const form = page.getByRole('dialog', { name: 'Create New Product' })
  const create = () => form.getByRole('button', { name: 'Create Product' }).click()
  return { form, create }
}

async function expectProductRefused(page: Page): Promise<void> {
  const { form, create } = await newProduct(page)
  await form.getByLabel('Product Name').fill('   ')
  await form
    .getByLabel('Description')
    .fill('Glides just under the surface and darts aside when the line goes slack. 🐟')
  await create()
  const name = form.getByLabel('Product Name')
  await expect(name).toHaveAccessibleDescription('The name must be one line of 1 to 120 characters.')
  await expect(name).toBeFocused()
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toContainText(
    'The name must be one line of 1 to 120 characters.',
  )
  await expect(page.getByText('violates check constraint')).toHaveCount(0)

  await name.fill(`Glider ${crypto.randomUUID()}`)
  await form.getByLabel('Image URL').fill('javascript:alert(1)')
  await expect(form.getByText('There is no picture at this address.')).toBeVisible()
  await create()
  await expect(form.getByLabel('Image URL')).toHaveAccessibleDescription(
    /^A picture’s web address must start with https/,
  )
  await expect(name).not.toHaveAttribute('aria-invalid')
  await expect(form.getByLabel('Description')).toHaveValue(
    'Glides just under the surface and darts aside when the line goes slack. 🐟',
  )

  await form.getByLabel('Image URL').fill('')
  await create()
  await expect(page.getByText('Product created successfully')).toBeVisible()
}

async function saveWithoutSignal({ page, staff }: Desk): Promise<void> {
  const { form, create } = await newProduct(page)
  const [kept, cancelled] = [`Kept ${crypto.randomUUID()}`, `Cancelled ${crypto.randomUUID()}`]
  await form.getByLabel('Product Name').fill(cancelled)
  await page.context().setOffline(true)
  await create()
  await expect(page.getByText('We couldn’t reach the shop. Check your connection.')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toHaveCount(0)

  await page.getByRole('button', { name: 'Add Product' }).click()
  await form.getByLabel('Product Name').fill(kept)
  await create()
  await expect(page.getByText('We couldn’t reach the shop. Check your connection.')).toBeVisible()
  await page.context().setOffline(false)
  await create()
  await expect(page.getByRole('row').filter({ hasText: kept })).toHaveCount(1)
  const { data } = await staff.from('products').select('name').in('name', [kept, cancelled])
  expect(data).toEqual([{ name: kept }])
}

async function saveTwice({ page, staff }: Desk): Promise<void> {
  const lure = await aLure(staff)
  await page.goto(`/admin/products/${lure.id}`)
  await page.getByRole('textbox', { name: 'Price without hooks, all colours', exact: true }).fill('87.50')
  const saves: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/rpc/save_product')) saves.push(request.url())
  })

  await page.getByRole('button', { name: 'Save Changes' }).dblclick()

  await expect(page.getByText('Product updated successfully')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toHaveCount(0)
  expect(saves).toHaveLength(1)
}

async function expectCodeRefused(page: Page): Promise<void> {
  await page.goto('/admin/promo-codes')
  await page.getByRole('button', { name: 'Add Promo Code' }).click()
  const form = page.getByRole('dialog', { name: 'Create Promo Code' })
  const code = form.getByLabel('Code', { exact: true })
  await code.fill('5offfirst')
  await form.getByLabel('Discount Value (%)').fill('10')

  await form.getByRole('button', { name: 'Create Promo Code' }).click()

  await expect(code).toHaveAccessibleDescription(
    'A promo code with this name already exists. O and 0 count as the same.',
  )
  await expect(code).toHaveValue('5OFFFIRST')
  await expect(form.getByLabel('Discount Value (%)')).toHaveValue('10')
}

async function expectRequired(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 700 })
  const { form, create } = await newProduct(page)
  const name = form.getByLabel('Product Name')
  const meetsAPress = () =>
    name.evaluate((field) => {
      const { left, top, height } = field.getBoundingClientRect()
      return document.elementFromPoint(left + 8, top + height / 2) === field
    })

  await create()

  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(/fill (out|in) this field/i)
  await expect.poll(meetsAPress).toBe(true)
  await name.fill('Glider')
  await expect(name).not.toHaveAttribute('aria-invalid')
}

async function expectGone(page: Page): Promise<void> {
  const deleted = crypto.randomUUID()
  for (const [path, words] of [
    [`orders/${deleted}`, 'This order does not exist'],
    ['orders/no-id-at-all', 'This order does not exist'],
    [`products/${deleted}/stock`, 'This product does not exist'],
  ] as const) {
    await page.goto(`/admin/${path}`)
    await expect(page.getByRole('heading', { name: words })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  }
}
