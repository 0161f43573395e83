import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expectUsableInBothThemes } from './fixtures/audit.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure, aPictureFile, type Lure } from './fixtures/lure.ts'
import { pasteText } from './fixtures/paste-text.ts'

test.use({ hasPictures: true })

const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click()
/** Also checks the bar for unsaved changes, because the toast of an earlier save may still be shown. */
async function isSaved(page: Page): Promise<void> {
  await expect(page.getByText('Product updated successfully')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toHaveCount(0)
}

// covers A20
test('the variant table of a lure is edited, validated, saved after a conflict and duplicated', async ({
  brother: { page },
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
  await test.step('cells and colours that are edited while a save runs stay unsaved, and the next save writes them', () =>
    editDuringSave(page))
  await test.step('edits stay when the product cannot be loaded again after a save', () =>
    editDuringFailedReload(page))
  await test.step('leaving while a save is refreshed waits for it and does not ask about saved changes', () =>
    leaveAfterSaving(page, lure))
  // covers A22
  await test.step('a copied product is a draft that only admins see until the product goes live', () =>
    duplicate(page, lure))
})

test('pictures of a lure are uploaded, ordered and cropped', async ({ brother: { page }, staff }) => {
  const lure = await aLure(staff)
  await page.goto(`/admin/products/${lure.id}`)

  await test.step('a broken picture file shows an error, and an upload is retried after a lost connection', () =>
    upload(page))
  // covers A21
  await test.step('pictures are uploaded, described, reordered by keyboard and shown in the shop', () =>
    arrange(page, lure))
  await test.step('a colour keeps the picture that was chosen last, also if an earlier upload ends later', () =>
    chooseDuringUpload(page))
  await test.step('a new colour gets its picture if the upload ends after the colour is saved', () =>
    saveDuringUpload(page))
  await test.step('a new colour that is removed while its picture uploads leaves nothing to save', () =>
    removeDuringUpload(page))
  // covers A21
  await test.step('a picture is cropped to the square that the shop shows', () => crop(page))
  await test.step('a crop keeps the pictures whose upload ends meanwhile, and a cancelled crop changes nothing', () =>
    cropDuringUpload(page))
})

// covers A25
test('lures change status in bulk, and the catalogue is exported and imported', async ({
  brother: { page },
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

async function editDuringSave(page: Page): Promise<void> {
  await cell(page, 'Stock, Amber').fill('7')
  await page.getByRole('button', { name: 'Add colour' }).click()
  await cell(page, 'Colour, new colour').fill('Coral')
  const release = await holdResponses(page, '**/rest/v1/rpc/save_product')
  await save(page)
  await cell(page, 'Stock, Cobalt').fill('13')
  await cell(page, 'Stock, Coral').fill('6')
  release()

  await expect(page.getByText('2 changes not saved')).toBeVisible()
  await expect(cell(page, 'Stock, Amber')).toHaveValue('7')
  await save(page)
  await isSaved(page)
  await expect(cell(page, 'Stock, Cobalt')).toHaveValue('13')
  await expect(cell(page, 'Stock, Coral')).toHaveValue('6')
}

async function editDuringFailedReload(page: Page): Promise<void> {
  const product = '**/rest/v1/products?*product_variants*'
  await page.route(product, (route) => route.abort())
  await cell(page, 'Stock, Amber').fill('8')
  const release = await holdResponses(page, '**/rest/v1/rpc/save_product')
  await save(page)
  await cell(page, 'Stock, Cobalt').fill('14')
  release()
  await expect(page.getByText('1 change not saved')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'This may be out of date' })).toBeVisible()
  await page.unroute(product)
  await save(page)
  await isSaved(page)
  await expect(cell(page, 'Stock, Amber')).toHaveValue('8')
  await expect(cell(page, 'Stock, Cobalt')).toHaveValue('14')
}

async function leaveAfterSaving(page: Page, lure: Lure): Promise<void> {
  await cell(page, 'Stock, Amber').fill('10')
  const release = await holdResponses(page, '**/rest/v1/products?*')
  await save(page)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  release()
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

async function upload(page: Page): Promise<void> {
  const resumable = '**/storage/v1/upload/resumable/*'
  await page.route(resumable, (route) => route.abort())
  await page
    .getByLabel('Add pictures')
    .setInputFiles([
      await aPictureFile('side.jpg', '#c23a10'),
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') },
      await aPictureFile('below.jpg', '#10607a'),
    ])
  // The page retries at once when the connection is back, and gives up after the last attempt. Then the next file's turn comes.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(page.getByText('The connection was lost.')).toBeVisible({ timeout: 300 })
  }).toPass({ intervals: [0], timeout: 40_000 })
  await expect(page.getByText('broken.jpg cannot be opened. The file seems to be broken')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Uploads' }).locator('img').nth(1)).toBeHidden()
  await page.getByRole('button', { name: 'Discard broken.jpg' }).click()
  await page.unroute(resumable)
  await page.getByRole('button', { name: 'Retry side.jpg' }).click()
}

async function arrange(page: Page, lure: Lure): Promise<void> {
  const words = page.getByRole('textbox', { name: 'Picture description' })
  await expect(words).toHaveCount(2)
  await save(page)
  // A save that fails validation leads to its first problem.
  await expect(words.first()).toBeFocused()
  await expect(words.first()).toBeInViewport()
  await expect(words.first()).toHaveAccessibleDescription(/Describe the picture in a few words/)
  await words.first().fill('Kite from below')
  await words.last().fill('Kite from the side')
  await page.getByRole('button', { name: 'Move picture 2 earlier' }).press('Enter')
  await expect(page.getByText('Picture 2 is now 1 of 2')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Move picture 1 later' })).toBeFocused()
  await save(page)
  await isSaved(page)

  await page.goto(`/products/${lure.slug}`)
  const shown = page.getByRole('main').locator('a[aria-haspopup=dialog] img')
  await expect(shown).toHaveCount(2)
  await expect(shown.first()).toHaveAttribute('alt', 'Kite from the side')
  await expect(shown.first()).toHaveAttribute('srcset', /render\/image\/public\/catalogue\/uploads\/.+ 1200w/)
  await expect
    .poll(() => shown.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await page.goBack()
}

const pictureButton = (page: Page, colour: string) =>
  page.getByRole('button', { name: `Picture of ${colour}`, exact: true })

/** Chooses a file as the colour's picture. Returns a function that lets its upload end and waits for the end. */
async function startUpload(page: Page, colour: string): Promise<() => Promise<void>> {
  const parts = '**/storage/v1/upload/resumable/*'
  const release = await holdResponses(page, parts)
  const sending = page.waitForRequest(parts)
  await pictureButton(page, colour).click()
  const dialog = page.getByRole('dialog', { name: `Picture of ${colour}` })
  await dialog.getByLabel('Add pictures').setInputFiles(await aPictureFile('late.jpg', '#80409a'))
  await sending
  return async () => {
    release()
    await expect(dialog.getByRole('list', { name: 'Uploads' })).toHaveCount(0)
  }
}

async function chooseDuringUpload(page: Page): Promise<void> {
  const finishUpload = await startUpload(page, 'Amber')
  await page.getByRole('group', { name: 'The lure’s pictures' }).getByRole('button').first().click()
  const picture = pictureButton(page, 'Amber').locator('img')
  const chosen = await picture.getAttribute('src')
  await finishUpload()
  expect(await picture.getAttribute('src')).toBe(chosen)
  await page.getByRole('button', { name: 'Done' }).click()
}

async function saveDuringUpload(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add colour' }).click()
  await cell(page, 'Colour, new colour').fill('Coral')
  const finishUpload = await startUpload(page, 'Coral')
  await page.getByRole('button', { name: 'Done' }).click()
  await save(page)
  await isSaved(page)
  await finishUpload()

  const picture = pictureButton(page, 'Coral').locator('img')
  await expect(picture).toBeVisible()
  await save(page)
  await isSaved(page)
  await expect(picture).toBeVisible()
}

async function crop(page: Page): Promise<void> {
  const picture = page.getByRole('list', { name: 'Pictures in order' }).locator('img').first()
  const before = await picture.getAttribute('src')
  await page.getByRole('button', { name: 'Crop picture 1' }).click()
  await page.getByRole('button', { name: 'Crop', exact: true }).click()

  await expect(page.getByRole('dialog', { name: 'Crop to a square' })).toHaveCount(0)
  await expect(picture).not.toHaveAttribute('src', before ?? '')
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([480, 480])
}

async function removeDuringUpload(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add colour' }).click()
  await cell(page, 'Colour, new colour').fill('Ghost')
  const finishUpload = await startUpload(page, 'Ghost')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Remove Ghost' }).click()
  const uploaded = page.waitForResponse('**/storage/v1/upload/resumable/*')
  await finishUpload()
  await (await uploaded).finished()
  await afterTwoFrames(page)
  await expect(page.getByText(/\d changes? not saved/)).toHaveCount(0)
}

async function cropDuringUpload(page: Page): Promise<void> {
  const uploads = '**/storage/v1/upload/resumable'
  const pictures = page.getByRole('list', { name: 'Pictures in order' }).locator('img')
  const first = () => pictures.first().getAttribute('src')
  const startCrop = async () => {
    const release = await holdResponses(page, uploads)
    await page.getByRole('button', { name: 'Crop picture 1' }).click()
    await page.getByRole('button', { name: 'Crop', exact: true }).click()
    return release
  }
  const original = await first()
  const releaseUpload = await holdResponses(page, `${uploads}/*`)
  const sending = page.waitForRequest(`${uploads}/*`)
  await page.getByLabel('Add pictures').setInputFiles(await aPictureFile('above.jpg', '#20a040'))
  await sending
  const releaseCrop = await startCrop()
  releaseUpload()
  await expect(pictures).toHaveCount(3)
  releaseCrop()
  await expect(page.getByRole('dialog', { name: 'Crop to a square' })).toHaveCount(0)
  await expect(pictures).toHaveCount(3)
  const cropped = await first()
  expect(cropped).not.toBe(original)

  const releaseCancelled = await startCrop()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Crop picture 2' }).click()
  const answer = page.waitForResponse(`${uploads}/*`)
  releaseCancelled()
  await (await answer).finished()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await first()).toBe(cropped)
}

const tick = (page: Page, { name }: Lure) => page.getByRole('checkbox', { name: `Select ${name}` })

async function selectDuringSave(page: Page, [first, second]: [Lure, Lure]): Promise<void> {
  const releaseResponse = await holdResponses(page, '**/rest/v1/products*', { method: 'PATCH' })
  await tick(page, first).check()
  await page.getByRole('button', { name: 'Hide' }).click()
  await tick(page, second).check()
  releaseResponse()

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

  await bring(own.map((row) => row.replace(';5;90;', ';many;90;')))
  await expect(page.getByText('Stock: This is not a valid number.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import' })).toBeDisabled()

  const releaseReplaced = await holdResponses(page, IMPORT, { times: 1 })
  await bring(own.map((row) => row.replace(';5;90;', ';7;90;')))
  await expect(page.getByText('Reading...')).toBeVisible()
  await bring(own.map((row) => row.replace(';5;90;', ';8;90;')))
  await expect(page.getByText('Stock: 5 8')).toBeVisible()
  const replaced = page.waitForResponse(IMPORT)
  releaseReplaced()
  await (await replaced).finished()
  await expect(
    page.getByText('0 new, 1 changed, 1 unchanged, 0 wrong. Nothing is imported yet.'),
  ).toBeVisible()
  await expect(page.getByText('Stock: 5 8')).toBeVisible()
  const releaseImport = await holdResponses(page, IMPORT)
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByRole('button', { name: 'Importing...' })).toBeDisabled()
  await expect(page.getByLabel(/Choose a file/)).toBeDisabled()
  releaseImport()

  await expect(page.getByText('Catalogue updated')).toBeVisible()
  const { data } = await staff
    .from('product_variants')
    .select('stock_quantity')
    .eq('id', lure.amberId)
    .single()
  expect(data).toEqual({ stock_quantity: 8 })
}
