import type { Page } from '@playwright/test'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure, aPictureFile, type Lure } from './fixtures/lure.ts'
import { cell, isSaved, save } from './fixtures/variant-table.ts'

test.use({ hasPictures: true })

test('pictures of a lure are uploaded, ordered and cropped', async ({ adminPage: page, staff }) => {
  const lure = await aLure(staff)
  await page.goto(`/admin/products/${lure.id}`)

  await test.step('leaving asks about running and failed uploads, and a failed one is retried on the page', () =>
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

async function upload(page: Page): Promise<void> {
  const resumable = '**/storage/v1/upload/resumable/*'
  await intercept(page, resumable, (route) => route.abort())
  await pictureButton(page, 'Amber').click()
  const dialog = page.getByRole('dialog', { name: 'Picture of Amber' })
  await dialog.getByLabel('Add pictures').setInputFiles(await aPictureFile('amber.jpg', '#e0a010'))
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page
    .getByLabel('Add pictures')
    .setInputFiles([
      await aPictureFile('below.jpg', '#10607a'),
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') },
      await aPictureFile('side.jpg', '#c23a10'),
    ])
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  // The page retries at once when the connection is back, and gives up after the last attempt. Then the next file's turn comes.
  const colours = page.getByRole('region', { name: 'Colours, stock and prices' })
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(colours.getByText('The connection was lost.')).toBeVisible({ timeout: 300 })
  }).toPass({ intervals: [0], timeout: 40_000 })
  await expect(colours.getByText('Amber: amber.jpg')).toBeVisible()
  await page.unroute(resumable)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByText('broken.jpg cannot be opened. The file seems to be broken')).toBeVisible()
  const broken = page.getByRole('listitem').filter({ hasText: 'broken.jpg' })
  await expect(broken.locator('img')).toBeHidden()
  await broken.getByRole('button', { name: 'Discard broken.jpg' }).click()
  await page.getByRole('button', { name: 'Retry amber.jpg' }).click()
  await expect(pictureButton(page, 'Amber').locator('img')).toBeVisible()
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
  await page.getByRole('button', { name: 'Move picture 2 earlier' }).press('Enter')
  await expect(page.getByText('Picture 2 is now 1 of 2')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Move picture 1 later' })).toBeFocused()
  // The message stays with the picture that has no description.
  await expect(words.first()).toHaveAccessibleDescription(/Describe the picture in a few words/)
  await expect(words.last()).not.toHaveAccessibleDescription(/Describe the picture in a few words/)
  await words.first().fill('Kite from\nthe side')
  await expect(words.first()).not.toHaveAccessibleDescription(/Describe the picture in a few words/)
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
    const uploaded = page.waitForResponse(parts)
    await release()
    await (await uploaded).finished()
    await afterTwoFrames(page)
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
  await finishUpload()
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
  await releaseUpload()
  await expect(pictures).toHaveCount(3)
  await releaseCrop()
  await expect(page.getByRole('dialog', { name: 'Crop to a square' })).toHaveCount(0)
  await expect(pictures).toHaveCount(3)
  const cropped = await first()
  expect(cropped).not.toBe(original)

  const releaseCancelled = await startCrop()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Crop picture 2' }).click()
  const answer = page.waitForResponse(`${uploads}/*`)
  await releaseCancelled()
  await (await answer).finished()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await first()).toBe(cropped)
}
