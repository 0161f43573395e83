import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expectUsableInBothThemes } from './fixtures/audit.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure, type Lure } from './fixtures/lure.ts'
import { pasteText } from './fixtures/paste-text.ts'
import { cell, isSaved, save } from './fixtures/variant-table.ts'

// covers A20
test('the variant table of a lure is edited, validated, saved after a conflict and duplicated', async ({
  adminPage: page,
  staff,
}) => {
  const lure = await aLure(staff)

  // covers A20
  await test.step('the variant table is edited by keyboard and by paste, and saved at once', () =>
    editVariantTable(page, lure))
  // covers A20
  await test.step('an invalid cell of the variant table shows an error, and all edits stay', () =>
    expectRefusal(page))
  await test.step('a second editor of a product sees both values and resolves the conflict', () =>
    overrule({ page, staff, lure }))
  await test.step('a price with hooks below the price without hooks is saved only after a confirmation', () =>
    raisePrice({ page, staff, lure }))
  await test.step('cells and colours that are edited while a save runs stay unsaved, and the next save writes them', () =>
    editDuringSave(page))
  // covers A22
  await test.step('a copied product is a draft that only admins see until the product goes live', () =>
    duplicate(page, lure))
})

test(
  'edits stay when a lure does not load after a save, and leaving waits while it loads',
  { tag: '@long' },
  async ({ adminPage: page, staff }) => {
    const lure = await aLure(staff)
    await page.goto(`/admin/products/${lure.id}`)
    await expect(cell(page, 'Stock, Amber')).toBeVisible()

    await test.step('edits stay when the product cannot be loaded again after a save', () =>
      editDuringFailedReload(page))
    await test.step('leaving while a save is refreshed waits for it and does not ask about saved changes', () =>
      leaveAfterSaving(page, lure))
  },
)

// covers A25
test('lures change status in bulk, and the catalogue is exported and imported', async ({
  adminPage: page,
  staff,
}) => {
  const [first, second] = [await aLure(staff), await aLure(staff)]
  await page.goto('/admin/products')

  await test.step('a selection made during a bulk change stays selected', () =>
    selectDuringSave(page, [first, second]))
  // covers A4 A22
  await test.step('selected lures are hidden and put on sale together', () =>
    hideAndShow(page, first, second))
  await test.step('the catalogue is exported to a file and imported again after a preview', () =>
    bringFile({ page, staff, lure: first }))
})

interface Edited {
  page: Page
  staff: SupabaseClient
  lure: Lure
}

async function editVariantTable(page: Page, lure: Lure): Promise<void> {
  await page.goto('/admin/products')
  await page.getByPlaceholder('Name, category or model').fill(lure.name)
  await page.getByRole('link', { name: lure.name }).click()

  await cell(page, 'Price without hooks, all colours').fill('99,50')
  await cell(page, 'Stock, Amber').focus()
  await page.keyboard.press('ArrowDown')
  await expect(cell(page, 'Stock, Blue')).toBeFocused()
  await page.keyboard.type('12')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(cell(page, 'SKU, Blue')).toBeFocused()
  await pasteText(page, `K-2\t7\nK-3\t4\n`)
  await cell(page, 'Colour, new colour').fill('Zebra')
  await expect(page.getByText('4 changes not saved')).toBeVisible()
  await page.keyboard.press('Control+s')
  await isSaved(page)

  const shown = async () => (await fetch(new URL(`/products/${lure.slug}/zebra`, page.url()))).text()
  await expect.poll(shown).toContain('Only 4 left')
  expect(await shown()).toContain('R99.50')
}

async function expectRefusal(page: Page): Promise<void> {
  await cell(page, 'Stock, Amber').fill('a few')
  await cell(page, 'Colour, Blue').fill('Cobalt')
  const specs = page.getByRole('group', { name: 'Specs' })
  await specs.getByRole('button', { name: 'Add line' }).click()
  await specs.getByLabel('Value').fill('x'.repeat(20_000))
  await save(page)

  const stock = cell(page, 'Stock, Amber')
  await expect(stock).toBeFocused()
  await expect(stock).toBeInViewport()
  await expect(stock).toHaveAccessibleDescription('This is not a valid number.')
  await expect(stock).toHaveAttribute('aria-invalid', 'true')
  await expect(stock).toHaveValue('a few')
  await expectUsableOnSmallestPhone(page)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  // Closing it moves the focus, which would take what is typed in the meantime.
  await expect(question).toBeHidden()
  await cell(page, 'Stock, Amber').fill('3')
  await save(page)
  await expect(specs.getByText('Too many lines, or too long ones.')).toBeFocused()
  await specs.getByRole('button', { name: 'Remove this line' }).click()
  await save(page)
  await isSaved(page)
  await expect(cell(page, 'Colour, Cobalt')).toHaveValue('Cobalt')
}

/** Checks the table with an invalid cell, and the dialog for a colour's picture. */
async function expectUsableOnSmallestPhone(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectUsableInBothThemes(page)
  await page.getByRole('button', { name: 'Picture of Amber' }).click()
  await expectUsableInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })
  if (size) await page.setViewportSize(size)
}

async function overrule({ page, staff, lure }: Edited): Promise<void> {
  await cell(page, 'Stock, Amber').fill('9')
  await staff.from('product_variants').update({ stock_quantity: 1 }).eq('id', lure.amberId)
  await save(page)

  const conflictAlert = page.getByRole('alert').filter({ hasText: 'Changed in the meantime.' })
  await expect(conflictAlert).toContainText('Stock of Amber: 1 saved, 9 yours')
  await conflictAlert.getByRole('button', { name: 'Keep mine' }).click()
  await isSaved(page)
  await expect(cell(page, 'Stock, Amber')).toHaveValue('9')
}

async function raisePrice({ page, staff, lure }: Edited): Promise<void> {
  const prices = async () => {
    const { data } = await staff.from('products').select('price, price_with_hooks').eq('id', lure.id).single()
    return data
  }
  await cell(page, 'Price without hooks, all colours').fill('150')
  await save(page)
  await expect(cell(page, 'Price with hooks, all colours')).toHaveAccessibleDescription(
    'This is less than the price without hooks. Change it, or confirm it below.',
  )
  expect(await prices()).toEqual({ price: 99.5, price_with_hooks: 120 })

  await page.getByLabel('Sell it cheaper with hooks than without').check()
  await save(page)
  await isSaved(page)
  expect(await prices()).toEqual({ price: 150, price_with_hooks: 120 })
}

async function editDuringSave(page: Page): Promise<void> {
  await cell(page, 'Stock, Amber').fill('7')
  await page.getByRole('button', { name: 'Add colour' }).click()
  await cell(page, 'Colour, new colour').fill('Coral')
  const release = await holdResponses(page, '**/rest/v1/rpc/save_product')
  await save(page)
  await cell(page, 'Stock, Cobalt').fill('13')
  await cell(page, 'Stock, Coral').fill('6')
  await release()

  await expect(page.getByText('2 changes not saved')).toBeVisible()
  await expect(cell(page, 'Stock, Amber')).toHaveValue('7')
  await save(page)
  await isSaved(page)
  await expect(cell(page, 'Stock, Cobalt')).toHaveValue('13')
  await expect(cell(page, 'Stock, Coral')).toHaveValue('6')
}

async function editDuringFailedReload(page: Page): Promise<void> {
  const product = '**/rest/v1/products?*product_variants*'
  await intercept(page, product, (route) => route.abort())
  await cell(page, 'Stock, Amber').fill('8')
  const release = await holdResponses(page, '**/rest/v1/rpc/save_product')
  await save(page)
  await cell(page, 'Stock, Blue').fill('14')
  await release()
  await expect(page.getByText('1 change not saved')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'This may be out of date' })).toBeVisible()
  await page.unroute(product)
  await save(page)
  await isSaved(page)
  await expect(cell(page, 'Stock, Amber')).toHaveValue('8')
  await expect(cell(page, 'Stock, Blue')).toHaveValue('14')
}

async function leaveAfterSaving(page: Page, lure: Lure): Promise<void> {
  await page.clock.install()
  await cell(page, 'Stock, Amber').fill('10')
  const release = await holdResponses(page, '**/rest/v1/products?*')
  await save(page)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.clock.fastForward(3000)
  await expect(page.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible()
  await release()
  await expect(page).toHaveURL(/\/admin$/)

  await page.goto(`/admin/products/${lure.id}`)
  await expect(cell(page, 'Stock, Amber')).toHaveValue('10')
}

async function duplicate(page: Page, lure: Lure): Promise<void> {
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page.getByRole('heading', { name: `${lure.name} (copy)` })).toBeVisible()
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue()
  const shown = () => fetch(new URL(`/products/${address}`, page.url()))
  expect((await shown()).status).toBe(404)

  await page.getByRole('link', { name: 'Preview' }).click()
  const main = page.getByRole('main')
  // A copy has no stock.
  await expect(main.getByRole('button', { name: 'Sold out' })).toBeVisible()
  await main.getByRole('link', { name: 'Amber' }).click()
  await expect(main.getByRole('button', { name: 'Tell me when it is back' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to editing' }).click()
  await page.getByRole('radio', { name: /^Live/ }).check()
  await save(page)
  await isSaved(page)

  await expect
    .poll(async () => (await shown()).text())
    .toMatch(new RegExp(String.raw`<h1[^>]*>${lure.name} \(copy\)</h1>`))
}

const tick = (page: Page, { name }: Lure) => page.getByRole('checkbox', { name: `Select ${name}` })

async function selectDuringSave(page: Page, [first, second]: [Lure, Lure]): Promise<void> {
  const releaseResponse = await holdResponses(page, '**/rest/v1/products*', { method: 'PATCH' })
  await tick(page, first).check()
  await page.getByRole('button', { name: 'Hide' }).click()
  await tick(page, second).check()
  await releaseResponse()

  await expect(page.getByText('1 product is now hidden')).toBeVisible()
  await expect(tick(page, first)).not.toBeChecked()
  await expect(tick(page, second)).toBeChecked()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
}

/** Expects the first lure to be hidden, and the second to be selected. */
async function hideAndShow(page: Page, first: Lure, second: Lure): Promise<void> {
  const status = async ({ slug }: Lure) => (await fetch(new URL(`/products/${slug}`, page.url()))).status
  await expect.poll(() => status(first)).toBe(410)
  await tick(page, first).check()
  await page.getByRole('button', { name: 'Put on sale' }).click()
  await expect(page.getByText('2 products are now live')).toBeVisible()
  await expect(tick(page, first)).not.toBeChecked()
  await expect.poll(() => status(first)).toBe(200)

  await tick(page, first).check()
  await tick(page, second).check()
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect(page.getByText('2 products are now hidden')).toBeVisible()
  await expect.poll(() => status(first)).toBe(410)
  await expect.poll(() => status(second)).toBe(410)
}

const IMPORT = '**/rpc/import_catalogue'

async function bringFile({ page, staff, lure }: Edited): Promise<void> {
  await page.goto('/admin/catalogue-file')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n')
  const [head = ''] = lines
  const own = lines.filter((line) => line.startsWith(`${lure.slug};`))
  const bring = (rows: string[]) =>
    page.getByLabel(/Choose a file|Reading/).setInputFiles({
      name: 'catalogue.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([head, ...rows].join('\r\n')),
    })

  await bring(own.map((row) => row.replace(';5;5;90;', ';many;5;90;')))
  await expect(page.getByText('Stock: This is not a valid number.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import' })).toBeDisabled()

  const releaseReplaced = await holdResponses(page, IMPORT, { times: 1 })
  await bring(own.map((row) => row.replace(';5;5;90;', ';7;5;90;')))
  await expect(page.getByText('Reading...')).toBeVisible()
  await bring(own.map((row) => row.replace(';5;5;90;', ';8;5;90;')))
  await expect(page.getByText('Stock: 5 8')).toBeVisible()
  const replaced = page.waitForResponse(IMPORT)
  await releaseReplaced()
  await (await replaced).finished()
  await expect(
    page.getByText('0 new, 1 changed, 1 unchanged, 0 wrong. Nothing is imported yet.'),
  ).toBeVisible()
  await expect(page.getByText('Stock: 5 8')).toBeVisible()
  const releaseImport = await holdResponses(page, IMPORT)
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByRole('button', { name: 'Importing...' })).toBeDisabled()
  await expect(page.getByLabel(/Choose a file/)).toBeDisabled()
  await releaseImport()

  await expect(page.getByText('Catalogue updated')).toBeVisible()
  const { data } = await staff
    .from('product_variants')
    .select('stock_quantity')
    .eq('id', lure.amberId)
    .single()
  expect(data).toEqual({ stock_quantity: 8 })
}
