import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import type { OpenShop } from './shop.ts'

/** A session of the same admin on another device. */
async function atAnotherDevice(shop: OpenShop): Promise<SupabaseClient> {
  const { publishable } = await shop.keys()
  const client = createClient(shop.url, publishable, { auth: { persistSession: false } })
  const { error } = await client.auth.signInWithPassword(shop.admin)
  if (error) throw error
  return client
}

/** Loads of the settings, without the answer of a save. */
const SETTINGS = /\/shop_settings\?select=\*$/

/** Makes the page load the settings again, as after a lost connection. */
async function reloadSettings(page: Page): Promise<void> {
  const again = page.waitForResponse(SETTINGS)
  await page.evaluate(() => {
    dispatchEvent(new Event('offline'))
    dispatchEvent(new Event('online'))
  })
  await (await again).finished()
}

async function aCode(staff: SupabaseClient): Promise<string> {
  const code = `HOUSE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  const { error } = await staff
    .from('promo_codes')
    .insert({ code, discount_type: 'fixed', discount_value: 10 })
  if (error) throw error
  return code
}

test(
  'promo code changes are undone, restored, protected from conflicts and saved after a lost session',
  { tag: '@long' },
  async ({ adminPage: page, shop, staff }) => {
    const code = await aCode(staff)
    await page.goto('/admin/promo-codes')
    const row = page.getByRole('row').filter({ hasText: code })
    const dialog = page.getByRole('dialog', { name: 'Edit Promo Code' })
    const value = dialog.getByLabel('Discount Value')
    const edit = () => page.getByRole('button', { name: `Edit ${code}`, exact: true }).click()
    const undo = page.getByRole('button', { name: 'Undo', exact: true })

    // covers A34
    await test.step('an admin undoes a change from the toast', async () => {
      await edit()
      await value.fill('25')
      await dialog.getByRole('button', { name: 'Save Changes' }).click()
      await expect(row).toContainText('R25.00')
      await undo.click()
      await expect(page.getByText('Undone', { exact: true })).toBeVisible()
      await expect(row).toContainText('R10.00')
    })

    // covers A32 A33
    await test.step('a form keeps typed text when closed by mistake, saves by Ctrl+S and shows conflicts', async () => {
      await edit()
      await value.fill('15')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await expect(value).toHaveValue('15')

      const other = await atAnotherDevice(shop)
      await other.from('promo_codes').update({ discount_value: 12 }).eq('code', code)
      await page.keyboard.press('Control+s')
      const conflict = dialog.getByRole('alert').filter({ hasText: 'Changed in the meantime' })
      await expect(conflict).toContainText('Shop owner changed this just now')
      await expect(conflict).toContainText('Now: 12')
      await expect(conflict).toContainText('Yours: 15')
      await conflict.getByRole('button', { name: 'Keep mine' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(row).toContainText('R15.00')
    })

    // covers A32
    await test.step('a session that ends during typing keeps the form, which is saved after a new sign-in', async () => {
      await edit()
      await value.fill('35')
      const otherTab = await page.context().newPage()
      await otherTab.goto('/robots.txt')
      const session = await otherTab.evaluate(() => {
        const tokens = Object.entries(localStorage).filter(([key]) => key.endsWith('-auth-token'))
        for (const [key] of tokens) localStorage.removeItem(key)
        return tokens
      })
      await expect(page.getByText(/^You are signed out/)).toBeVisible()
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await expect(value).toHaveValue('35')

      await otherTab.evaluate((tokens) => {
        for (const [key, stored] of tokens) localStorage.setItem(key, stored)
      }, session)
      await otherTab.close()
      await dialog.getByRole('button', { name: 'Save Changes' }).click()
      await expect(page.getByText('Promo code updated').last()).toBeVisible()
      await expect(row).toContainText('R35.00')
    })

    // covers A36
    await test.step('an admin reads, undoes and exports changes in the history', async () => {
      await page.goto('/admin/history')
      const entries = page.getByRole('listitem').filter({ hasText: `Promo code ${code} changed` })
      await expect(entries).toHaveCount(5)
      await expect(entries.filter({ hasText: 'Undone' })).toHaveCount(1)
      await expect(entries.first()).toContainText('Discount value')
      await entries.first().getByRole('button', { name: /^Undo/ }).click()
      await expect(entries).toHaveCount(6)
      await entries.first().getByRole('link', { name: code }).click()
      await expect(page).toHaveURL(/thing=promo_codes&row=/)
      const file = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export CSV (7)' }).click()
      expect((await file).suggestedFilename()).toBe('history.csv')
    })

    // covers A34
    await test.step('an admin restores a deleted promo code that was never used', async () => {
      await page.getByRole('link', { name: 'Promo Codes', exact: true }).click()
      await page.getByRole('button', { name: `Delete ${code}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(row).toHaveCount(0)
      await undo.click()
      await expect(row).toBeVisible()
    })
  },
)

// covers A31
test('the command menu opens pages, finds rows and runs actions, and shortcuts open pages', async ({
  adminPage: page,
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const number = order.number.replace('#', '')
  await page.goto('/admin')
  const opener = page.getByRole('button', { name: /Search or jump to/ })
  const menu = page.getByRole('dialog', { name: 'Search or jump to' })
  const field = menu.getByRole('combobox')
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await expect(opener).toBeVisible()

  await test.step('a command menu that does not load says so, keeps the page, and loads the next time', async () => {
    await intercept(page, '**/assets/command-menu-*.js', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.keyboard.type(number)
    await expect(page.getByRole('alert').filter({ hasText: 'This did not load' })).toBeVisible()
    await page.unroute('**/assets/command-menu-*.js')
    await opener.click()
    await expect(field).toBeFocused()
    await expect(field).toBeEmpty()
    await page.reload()
    await expect(opener).toBeVisible()
  })

  await test.step('the command menu keeps text typed during loading, and Enter waits for the results', async () => {
    const releaseCommandMenu = await holdResponses(page, '**/assets/command-menu-*.js')
    const releaseResponse = await holdResponses(page, '**/rpc/search_orders*')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(number)
    await releaseCommandMenu()
    await expect(field).toHaveValue(number)
    await expect(field).toBeFocused()
    await page.keyboard.press('Enter')
    await releaseResponse()
    await expect(details).toContainText(order.number)
    await page.keyboard.press('Escape')
    await expect(details).toBeHidden()
  })

  await test.step('the command menu lists a matching order first and opens pages by name', async () => {
    await page.keyboard.press('Control+k')
    await field.fill(number)
    await expect(menu.getByRole('option', { name: order.number })).toHaveAttribute('aria-selected', 'true')
    await field.fill('s')
    await expect(menu.getByRole('option', { name: order.number })).toHaveCount(0)
    await field.fill('sett')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/admin\/settings/)
  })

  // covers A31
  await test.step('keyboard shortcuts open pages, and a dialog lists all shortcuts', async () => {
    // Together, because a slow browser would put more than the allowed 1.5 s between them.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('p')])
    await expect(page).toHaveURL(/\/admin\/products/)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to Orders')
    await page.keyboard.press('Escape')
  })

  await test.step('the header button opens the command menu, which runs the chosen action', async () => {
    await opener.click()
    await field.fill('create o')
    await menu.getByRole('option', { name: 'Create order' }).click()
    await expect(page).toHaveURL(/\/admin\/orders\/new/)
  })
})

test('the settings page keeps typed text, applies an undo, and tests PayFast and mail', async ({
  adminPage: page,
  shop,
}) => {
  const shipping = page.getByLabel('Shipping (R)', { exact: true })
  const threshold = page.getByLabel('Free shipping from (R)')
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const header = async () =>
    /Free shipping on orders over R\d+/.exec(
      (await (await fetch(shop.url)).text()).replaceAll('<!-- -->', ''),
    )?.[0]
  await page.goto('/admin/settings')

  await test.step('an untouched shipping form shows what another admin saves', async () => {
    await expect(shipping).toHaveValue('100')
    await queryDatabase(shop, 'update public.shop_settings set shipping_rate = 110')
    await reloadSettings(page)
    await expect(shipping).toHaveValue('110')
  })

  await test.step('typed shipping settings stay when another admin saves others', async () => {
    await shipping.fill('120')
    await queryDatabase(shop, 'update public.shop_settings set shipping_rate = null, offers_locker = false')
    await reloadSettings(page)
    // The refused save loads the settings again, which would take the place of the next load below.
    const again = page.waitForResponse(SETTINGS)
    await page.getByRole('button', { name: 'Save Changes' }).click()
    const conflict = page.getByRole('alert').filter({ hasText: 'Changed in the meantime.' })
    await (await again).finished()
    await conflict.getByRole('button', { name: 'Use theirs' }).click()
    await expect(shipping).toHaveValue('100')
    await queryDatabase(shop, 'update public.shop_settings set offers_locker = true')
    await reloadSettings(page)
    await expect(page.getByRole('switch', { name: 'Offer lockers' })).toBeChecked()
  })

  await test.step('typed shipping settings stay when another setting is saved', async () => {
    await shipping.fill('120')
    // Run both updates in one transaction, or the page may read the required second step in between.
    await queryDatabase(
      shop,
      'update public.shop_settings set requires_second_factor = true; update public.shop_settings set requires_second_factor = null',
    )
    const again = page.waitForResponse(SETTINGS)
    await page.getByRole('switch', { name: 'Every admin must have a second step' }).click()
    await expect(page.getByText('Add a second step to your own sign-in first')).toBeVisible()
    await (await again).finished()
    await expect(shipping).toHaveValue('120')
  })

  // covers A39
  await test.step('an admin changes the shipping fee, and an undo restores the old fee', async () => {
    await threshold.fill('1200')
    const release = await holdResponses(page, '**/rest/v1/shop_settings?*', { method: 'PATCH' })
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(threshold).not.toBeEditable()
    await release()
    await expect(page.getByText('Settings saved')).toBeVisible()
    // A focused toast stays.
    await undo.focus()
    await expect(shipping).toHaveValue('120')
    await expect.poll(header).toBe('Free shipping on orders over R1200')

    await undo.click()
    await expect(page.getByText('Undone', { exact: true })).toBeVisible()
    await expect(shipping).toHaveValue('100')
    await expect(threshold).toHaveValue('1500')
    await expect.poll(header).toBe('Free shipping on orders over R1500')
  })

  await test.step('a change of the lockers leaves fee and threshold to the defaults of the shop', async () => {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('switch', { name: 'Offer lockers' }).click()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await (await saved).finished()

    const columns = 'shipping_rate, free_shipping_from, offers_locker'
    expect(await queryDatabase(shop, `select ${columns} from public.shop_settings`)).toEqual([
      { shipping_rate: null, free_shipping_from: null, offers_locker: false },
    ])
    await queryDatabase(shop, 'update public.shop_settings set offers_locker = true')
  })

  // covers A40
  await test.step('PayFast and the mail server are tested from the settings', async () => {
    await page.getByRole('button', { name: 'Test now' }).click()
    await expect(page.getByText('no money moves.', { exact: false }).last()).toBeVisible()
    await page.getByRole('button', { name: 'Send me a test e-mail' }).click()
    await expect(page.getByText('The mail server accepted an e-mail')).toBeVisible()
  })

  // covers A38
  await test.step('an admin without the required second step is redirected to the page for adding the step', async () => {
    await queryDatabase(shop, 'update public.shop_settings set requires_second_factor = true')
    try {
      await page.goto('/admin/orders')
      await expect(page).toHaveURL(/\/account\/security/)
      await expect(page.getByText('Every admin of this shop must have a second step.')).toBeVisible()
    } finally {
      await queryDatabase(shop, 'update public.shop_settings set requires_second_factor = false')
    }
  })
})
