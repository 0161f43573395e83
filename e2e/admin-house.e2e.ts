import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import type { OpenShop } from './shop.ts'

/** The same brother at another device. */
async function atAnotherDevice(shop: OpenShop): Promise<SupabaseClient> {
  const { publishable } = await shop.keys()
  const client = createClient(shop.url, publishable, { auth: { persistSession: false } })
  const { error } = await client.auth.signInWithPassword(shop.admin)
  if (error) throw error
  return client
}

async function aCode(staff: SupabaseClient): Promise<string> {
  const code = `HOUSE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  const { error } = await staff
    .from('promo_codes')
    .insert({ code, discount_type: 'fixed', discount_value: 10 })
  if (error) throw error
  return code
}

async function openCode(page: Page, code: string) {
  await page.goto('/admin/promo-codes')
  await page.getByRole('button', { name: `Edit ${code}`, exact: true }).click()
  return page.getByRole('dialog', { name: 'Edit Promo Code' })
}

test('a change can be undone from its toast, and the history tells of both', async ({
  brother: { page },
  staff,
}) => {
  const code = await aCode(staff)
  const dialog = await openCode(page, code)
  await dialog.getByLabel('Discount Value').fill('25')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('R25.00')

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  await expect(row).toContainText('R10.00')

  await page.getByRole('link', { name: 'History' }).click()
  const entries = page.getByRole('listitem').filter({ hasText: `Promo code ${code} changed` })
  await expect(entries).toHaveCount(2)
  await expect(entries.last()).toContainText('Undone')
  await expect(entries.first()).toContainText('Discount value')
  await entries.first().getByRole('button', { name: /^Undo/ }).click()
  await expect(entries).toHaveCount(3)
  await entries.first().getByRole('link', { name: code }).click()
  await expect(page).toHaveURL(/thing=promo_codes&row=/)
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV (4)' }).click()
  expect((await file).suggestedFilename()).toBe('history.csv')
})

test('what was typed is not lost by a slip, Ctrl+S saves, and a second editor is told', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const code = await aCode(staff)
  const dialog = await openCode(page, code)
  await dialog.getByLabel('Discount Value').fill('15')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Discount Value')).toHaveValue('15')

  const other = await atAnotherDevice(shop)
  await other.from('promo_codes').update({ discount_value: 12 }).eq('code', code)
  await page.keyboard.press('Control+s')
  const conflict = dialog.getByRole('alert').filter({ hasText: 'Changed meanwhile' })
  await expect(conflict).toContainText(`${shop.admin.email} changed this just now`)
  await expect(conflict).toContainText('Now: 12')
  await expect(conflict).toContainText('Yours: 15')
  await conflict.getByRole('button', { name: 'Save mine instead' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: code })).toContainText('R15.00')
})
