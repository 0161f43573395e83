import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { openLive } from './fixtures/live.ts'
import { hold } from './fixtures/hold.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { askDatabase } from './fixtures/shop-database.ts'
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

  await page.goto('/admin/history')
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
  await expect(conflict).toContainText('Shop owner changed this just now')
  await expect(conflict).toContainText('Now: 12')
  await expect(conflict).toContainText('Yours: 15')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: code })).toContainText('R15.00')
})

test('a code that nobody used comes back after its deletion', async ({ brother: { page }, staff }) => {
  const code = await aCode(staff)
  await page.goto('/admin/promo-codes')
  await page.getByRole('button', { name: `Delete ${code}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toHaveCount(0)

  await page.getByRole('button', { name: 'Undo', exact: true }).click()

  await expect(row).toBeVisible()
})

test('the palette goes, finds and does, and keys lead there without it', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  await expect(page.getByRole('button', { name: /Search or jump to/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await palette.getByRole('combobox').fill(order.number.replace('#', ''))
  await expect(palette.getByRole('option', { name: order.number })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await expect(details).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()

  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/admin\/products/)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Go to Orders')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /Search or jump to/ }).click()
  await palette.getByRole('combobox').fill('sett')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/settings/)

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('create o')
  await palette.getByRole('option', { name: 'Create order' }).click()
  await expect(page).toHaveURL(/\/admin\/orders\/new/)
})

test('what is typed before the palette has come counts, and Enter waits for its answer', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const letPaletteCome = await hold(page, '**/assets/palette-*.js')
  const letAnswer = await hold(page, '**/rpc/search_orders*')
  await expect(page.getByRole('button', { name: /Search or jump to/ })).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.keyboard.type(order.number.replace('#', ''))
  letPaletteCome()
  const field = page.getByRole('dialog', { name: 'Search or jump to' }).getByRole('combobox')
  await expect(field).toHaveValue(order.number.replace('#', ''))
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  letAnswer()

  await expect(page.getByRole('dialog', { name: 'Order Details' })).toContainText(order.number)
})

test('what is typed for the shipping stays when something else in the settings is saved', async ({
  brother: { page },
  shop,
}) => {
  await page.goto('/admin/settings')
  await page.getByLabel('Shipping (R)', { exact: true }).fill('120')
  await askDatabase(shop, 'update public.shop_settings set requires_second_factor = true')
  await askDatabase(shop, 'update public.shop_settings set requires_second_factor = null')
  const again = page.waitForResponse('**/rest/v1/shop_settings?select=*')
  await page.getByRole('switch', { name: 'Every admin must have a second step' }).click()
  await expect(page.getByText('Add a second step to your own sign-in first')).toBeVisible()
  await (await again).finished()

  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByLabel('Shipping (R)', { exact: true })).toHaveValue('120')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByLabel('Shipping (R)', { exact: true })).toHaveValue('100')
})

test('shipping is set by the brothers: pages, cart and undo follow', async ({
  brother: { page },
  angler,
}) => {
  await page.goto('/admin/settings')
  await page.getByLabel('Free shipping from (R)').fill('1200')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()

  const header = angler.page.getByText('Free shipping on orders over')
  await angler.page.goto('/')
  await expect(header).toHaveText('Free shipping on orders over R1200')

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Free shipping from (R)')).toHaveValue('1500')
  await angler.page.goto('/')
  await expect(header).toHaveText('Free shipping on orders over R1500')
  await page.getByRole('button', { name: 'Test now' }).click()
  await expect(page.getByText('no money moves.', { exact: false }).last()).toBeVisible()
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText('The mail server took a mail')).toBeVisible()
})

test('an admin without the second step that is asked of all is led to where it is added', async ({
  brother: { page },
  shop,
}) => {
  await page.goto('/admin/settings')
  await page.getByRole('switch', { name: 'Every admin must have a second step' }).click()
  await expect(page.getByText('Add a second step to your own sign-in first')).toBeVisible()

  await askDatabase(shop, 'update public.shop_settings set requires_second_factor = true')
  try {
    await page.goto('/admin/orders')
    await expect(page).toHaveURL(/\/account\/security/)
    await expect(page.getByText('Every admin of this shop must have a second step.')).toBeVisible()
  } finally {
    await askDatabase(shop, 'update public.shop_settings set requires_second_factor = false')
  }
})

test('news ring for who asked for it', async ({ brother: { page }, shop }) => {
  await page.addInitScript(() => {
    window.AudioContext = class extends AudioContext {
      constructor() {
        super()
        document.documentElement.dataset['rang'] = 'yes'
      }
    }
  })
  await page.goto('/admin/settings')
  await page.getByRole('switch', { name: 'Play a sound for new orders and messages' }).click()
  await openLive(page, '/admin')
  await aPaidOrder(shop)

  await expect(page.getByText('New paid order')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-rang', 'yes')
})

test('a session that ends while somebody types takes nothing with it', async ({
  brother: { page },
  staff,
}) => {
  const code = await aCode(staff)
  const dialog = await openCode(page, code)
  await dialog.getByLabel('Discount Value').fill('35')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/robots.txt')
  const session = await otherTab.evaluate(() => {
    const kept = Object.entries(localStorage).filter(([key]) => key.endsWith('-auth-token'))
    for (const [key] of kept) localStorage.removeItem(key)
    return kept
  })

  await expect(page.getByText(/^You are signed out/)).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Discount Value')).toHaveValue('35')

  await otherTab.evaluate((kept) => {
    for (const [key, value] of kept) localStorage.setItem(key, value)
  }, session)
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Promo code updated')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: code })).toContainText('R35.00')
})
