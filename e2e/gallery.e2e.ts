import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page, Request } from '@playwright/test'
import { aLargePhoto, aPhoto } from '#test/gallery-photo.ts'
import { breakingNetwork } from './fixtures/breaking-network.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { loseResponses } from './fixtures/lose-responses.ts'

test.use({ hasPictures: true })

type FilePayload = { name: string; mimeType: string; buffer: Buffer }

const jpeg = async (name: string): Promise<FilePayload> => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await aPhoto(),
})

/** Chooses the files after hydration, which the field itself does not show. */
async function choose(page: Page, files: FilePayload[], origin = ''): Promise<void> {
  await openHydrated(page, `${origin}/gallery`)
  await page.getByLabel('Choose photos').setInputFiles(files)
}

async function describeCatch(page: Page, { name }: { name: string }): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Description').fill('Garrick off the rocks at first light')
}

/** Delays the decoding of photos, as a slow phone does, until the returned function is called. */
async function holdDecoding(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const decode = globalThis.createImageBitmap.bind(globalThis)
    const released = new Promise((resolve) => addEventListener('decode', resolve, { once: true }))
    globalThis.createImageBitmap = async (source: ImageBitmapSource) => {
      await released
      return decode(source)
    }
  })
  return () => page.evaluate(() => void dispatchEvent(new Event('decode')))
}

async function dropPdf(target: Locator): Promise<void> {
  const dataTransfer = await target.page().evaluateHandle(() => {
    const dropped = new DataTransfer()
    dropped.items.add(new File(['%PDF-1.7'], 'notes.pdf', { type: 'application/pdf' }))
    return dropped
  })
  await target.dispatchEvent('drop', { dataTransfer })
}

const submit = (page: Page) => page.getByRole('button', { name: 'Submit for Review' }).click()
const chosen = (page: Page) => page.getByRole('list', { name: 'Chosen photos' }).getByRole('listitem')

// covers S1.5 S2.7 S2.39 S7.13 S7.15 S8.19 A2.31 A4.10 A8.12 A29
test('submitted photos are visible only to staff until an admin approves the photos', async ({
  page,
  adminPage,
  shop,
}) => {
  const name = `Sipho ${crypto.randomUUID().slice(0, 8)}`
  await choose(page, [await jpeg('strike.jpg'), await jpeg('release.jpg')])
  await describeCatch(page, { name })
  await page.getByLabel(/^E-mail \(/).fill('sipho@example.com')
  await page.getByRole('combobox', { name: 'Lure' }).selectOption('Chisel Nose Popper 150mm/30G')
  await page.getByRole('combobox', { name: 'Colour' }).selectOption('Mahi Mahi 150mm')

  await submit(page)

  await expect(page.getByText('Success!', { exact: true })).toBeVisible()
  await expect(page.getByText('2 photos submitted for review.')).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('')
  await expect(chosen(page)).toHaveCount(0)
  await shop.mailbox.waitFor(({ subject }) => subject === `Catch photo from ${name} to review`)

  await adminPage.goto('/admin/gallery')
  const card = adminPage.getByRole('article').filter({ hasText: name })
  await expect(card).toContainText('Chisel Nose Popper 150mm/30G, Mahi Mahi 150mm')
  await expect(card).toContainText('sipho@example.com')
  await expect.poll(() => widthOf(card.getByRole('img'))).toBe(1200)
  await page.reload()
  await expect(page.getByRole('article', { name: `Catch of ${name}` })).toHaveCount(0)
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(adminPage.getByText('Photo approved successfully.')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)

  await page.reload()
  const hung = page.getByRole('article', { name: `Catch of ${name}` })
  await expect(hung.getByRole('link', { name: 'Chisel Nose Popper 150mm/30G' })).toHaveAttribute(
    'href',
    /chisel-nose-popper-150.*\/mahi-mahi/,
  )
  await expect.poll(() => widthOf(hung.getByRole('img').first())).toBeGreaterThan(300)
  await hung.getByRole('button', { name: 'Next photo' }).click()
  await expect(hung.getByRole('group', { name: '2 of 2' })).toBeVisible()
})

test('the gallery form shows errors, keeps typed text and sends each photo once', async ({ page, staff }) => {
  await page.clock.install()
  await choose(page, [])
  const alerts = page.getByRole('alert')
  const files = page.getByLabel('Choose photos')
  const nameField = page.getByLabel('Your name')
  const photosOf = (name: string) =>
    staff.from('gallery_submissions').select('image_urls').eq('customer_name', name)

  await test.step('the picture of the gallery’s hero is at least as wide as the screen', async () => {
    const hero = page.getByRole('main').getByRole('img').first()
    await expect(hero).toHaveJSProperty('complete', true)
    const { drawn, asked, shown, original } = await sizesOf(hero)
    expect(shown).toBe(1440)
    expect(asked).toBeGreaterThanOrEqual(Math.max(shown, Math.min(drawn, 1600)))
    expect(original).toBeGreaterThanOrEqual(shown)
  })

  // covers S5.17
  await test.step('the gallery form’s missing fields show the specified messages', async () => {
    await submit(page)
    await expect(alerts).toContainText('No images selected')
    await expect(alerts).toContainText('Please select at least one image to upload')

    await files.setInputFiles([await jpeg('garrick.jpg')])
    await expect(chosen(page)).toHaveCount(1)
    await submit(page)
    await expect(alerts).toContainText('Missing information')
    await expect(alerts).toContainText('Please fill in your name and description')
    await expect(nameField).toBeFocused()
    await page.getByRole('button', { name: 'Remove garrick.jpg' }).click()
    await expect(chosen(page)).toHaveCount(0)
    await expect(files).toBeFocused()
  })

  // covers S5.18
  await test.step('the gallery form rejects files that are no photos and keeps the other files', async () => {
    await files.setInputFiles([
      await jpeg('one.jpg'),
      { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
      { name: 'huge.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) },
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('half a fi') },
    ])

    await expect(chosen(page)).toHaveText(['one.jpg'])
    await expect(page.getByRole('list', { name: 'Skipped files' }).getByRole('listitem')).toHaveText(
      ['notes.pdf is not an image file', 'huge.jpg is larger than 5MB', 'broken.jpg is not an image file'],
      { useInnerText: true },
    )
    await expect(alerts).toContainText(/Invalid file type|File too large/)
  })

  await test.step('a photo whose submission response is lost is not sent twice', async () => {
    const name = `Thandi ${crypto.randomUUID().slice(0, 8)}`
    await describeCatch(page, { name })
    const restore = await loseResponses(page, '/rest/v1/gallery_submissions')

    await submit(page)
    await expect(alerts.filter({ hasText: 'Upload failed' })).toBeVisible()
    await restore()
    await submit(page)

    await expect(page.getByText('1 photo submitted for review.')).toBeVisible()
    expect((await photosOf(name)).data).toHaveLength(1)
  })

  await test.step('a description that is corrected after a lost response reaches the shop', async () => {
    const name = `Naledi ${crypto.randomUUID().slice(0, 8)}`
    const failure = alerts.filter({ hasText: 'Upload failed' })
    await expect(chosen(page)).toHaveCount(0)
    await files.setInputFiles([await jpeg('one.jpg')])
    await describeCatch(page, { name })
    const restore = await loseResponses(page, '/rest/v1/gallery_submissions')
    await expect(failure).toHaveCount(0)

    await submit(page)
    await expect(failure).toBeVisible()
    await restore()
    await page.getByLabel('Description').fill('Kingfish at dusk')
    await submit(page)

    await expect(chosen(page)).toHaveCount(0)
    const { data } = await staff.from('gallery_submissions').select('description').eq('customer_name', name)
    expect(data).toContainEqual({ description: 'Kingfish at dusk' })
  })

  await test.step('a wrong photo can be removed although a failed attempt has uploaded it', async () => {
    const name = `Bongani ${crypto.randomUUID().slice(0, 8)}`
    const submissions = '**/rest/v1/gallery_submissions*'
    await files.setInputFiles([await jpeg('wrong.jpg'), await jpeg('right.jpg')])
    await describeCatch(page, { name })
    const message = 'Too many requests. Please try again later.'
    const atLimit = { code: 'PT429', message, details: 'too_many_sent', hint: null }
    await intercept(page, submissions, (route) => route.fulfill({ status: 429, json: atLimit }))
    await submit(page)
    await expect(alerts.filter({ hasText: 'Upload failed' }).filter({ hasText: message })).toBeVisible()
    await expect(chosen(page).getByRole('img', { name: 'uploaded' })).toHaveCount(2)
    await page.unroute(submissions)
    await page.getByRole('button', { name: 'Remove wrong.jpg' }).click()
    await submit(page)

    await expect(page.getByText('1 photo submitted for review.')).toBeVisible()
    expect((await photosOf(name)).data).toEqual([{ image_urls: [expect.any(String)] }])
  })

  // covers S8.18
  await test.step('after an outage between two photos, the next attempt sends the remaining photos', async () => {
    const name = `Lerato ${crypto.randomUUID().slice(0, 8)}`
    await expect(chosen(page)).toHaveCount(0)
    await files.setInputFiles([await jpeg('one.jpg'), await jpeg('two.jpg'), await jpeg('three.jpg')])
    await describeCatch(page, { name })
    let started = 0
    let isLost = true
    await intercept(page, `**${RESUMABLE}`, (route) => {
      if (started === 1 && isLost) return route.abort('internetdisconnected')
      started += 1
      return route.continue()
    })
    const failure = alerts.filter({ hasText: 'Upload failed' })
    await expect(failure).toHaveCount(0)

    await submit(page)

    // The page retries after 1, 2, 4 and 8 seconds.
    await expect(async () => {
      await page.clock.runFor(2_000)
      await expect(failure).toBeVisible({ timeout: 500 })
    }).toPass({ intervals: [0] })
    await expect(failure).toContainText('There was an error uploading your photos. Please try again.')
    await expect(page.getByLabel('Description')).toHaveValue('Garrick off the rocks at first light')
    await expect(chosen(page)).toHaveText([/one/, /two/, /three/])
    await expect(chosen(page).getByRole('img', { name: 'uploaded' })).toHaveCount(1)

    isLost = false
    await submit(page)

    await expect(page.getByText('3 photos submitted for review.')).toBeVisible()
    expect(started).toBe(3)
    expect((await photosOf(name)).data).toEqual([
      { image_urls: [expect.any(String), expect.any(String), expect.any(String)] },
    ])
  })

  await test.step('photos that are still being prepared are sent, and nothing can be changed while the form is sent', async () => {
    await expect(chosen(page)).toHaveCount(0)
    const decode = await holdDecoding(page)
    const release = await holdResponses(page, '**/rest/v1/gallery_submissions*', { method: 'POST' })
    await files.setInputFiles([await jpeg('one.jpg'), await jpeg('two.jpg')])
    await describeCatch(page, { name: 'Zanele' })
    await nameField.press('Enter')

    await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled()
    await expect(nameField).toBeFocused()
    await decode()
    await expect(page.getByText('2 of 2 uploaded')).toBeVisible()
    await expect(page.getByLabel('Description')).not.toBeEditable()
    await expect(page.getByRole('combobox', { name: 'Lure' })).toBeDisabled()
    await dropPdf(page.getByText('Choose photos'))
    await expect(page.getByRole('list', { name: 'Skipped files' })).toHaveCount(0)
    await release()
    await expect(page.getByText('2 photos submitted for review.')).toBeVisible()
    await expect(page.getByLabel('Description')).toHaveValue('')
  })
})

test.describe('on a phone with three device pixels to each of the page', () => {
  test.use({ viewport: { width: 360, height: 800 }, deviceScaleFactor: 3 })

  test(
    'the gallery’s hero picture is at least as large as the drawn area, up to the original size',
    {
      tag: '@long',
    },
    async ({ page }) => {
      await page.goto('/gallery')

      const { drawn, asked } = await sizesOf(page.getByRole('main').getByRole('img').first())

      expect(asked).toBeGreaterThanOrEqual(Math.min(drawn, 1600))
    },
  )
})

/** Widths of the file, of the uncropped drawing in device pixels, of the request, and of the element in CSS pixels. */
function sizesOf(hero: Locator) {
  return hero.evaluate((picture: HTMLImageElement) => {
    const original = Number(picture.getAttribute('width'))
    const ratio = original / Number(picture.getAttribute('height'))
    const { width, height } = picture.getBoundingClientRect()
    return {
      original,
      drawn: Math.max(width, height * ratio) * devicePixelRatio,
      asked: Number(new URL(picture.currentSrc).searchParams.get('width')),
      shown: picture.clientWidth,
    }
  })
}

const RESUMABLE = '/storage/v1/upload/resumable'

/** Bytes per second: a large photo takes ten seconds at 100 000; -1 removes the limit. */
async function uploadSpeedOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  return (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 20,
      downloadThroughput: -1,
      uploadThroughput,
    })
}

/** Bytes of incomplete photos. */
async function bytesArrived({ dataDir }: { dataDir: string }): Promise<number> {
  const folder = join(dataDir, 'storage/resumable')
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return Math.max(0, ...sizes)
}

/** Records the offset of each part, and the number of started uploads. */
function watchUploads(page: Page): { offsets: number[]; started: () => number } {
  const offsets: number[] = []
  let started = 0
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname === RESUMABLE) started += 1
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return { offsets, started: () => started }
}

const shareSent = (page: Page) =>
  page
    .getByRole('progressbar', { name: 'Photos uploaded' })
    .evaluate((bar) => (bar instanceof HTMLProgressElement ? bar.position : 0))

test(
  'an upload of a partly uploaded photo resumes and does not start again',
  { tag: '@long' },
  async ({ page, shop, staff }) => {
    const photo = { name: 'strike.jpg', mimeType: 'image/jpeg', buffer: await aLargePhoto() }

    // covers S8.18
    await test.step('a photo upload resumes automatically after a lost connection', async () => {
      const name = `Anele ${crypto.randomUUID().slice(0, 8)}`
      const network = await breakingNetwork(shop.url, 400_000)
      await choose(page, [photo], network.url)
      await describeCatch(page, { name })
      const uploads = watchUploads(page)

      await submit(page)
      await expect.poll(() => bytesArrived(shop)).toBeGreaterThan(300_000)
      network.cut()

      await expect(page.getByText('1 photo submitted for review.')).toBeVisible()
      expect(uploads.started()).toBe(1)
      // A browser may retry a part by itself, which the shop rejects.
      const after = uploads.offsets.filter((offset) => offset > 0)
      expect(after).toHaveLength(1)
      expect(after[0]).toBeGreaterThan(300_000)
      const { count } = await staff
        .from('gallery_submissions')
        .select('id', { count: 'exact' })
        .eq('customer_name', name)
      expect(count).toBe(1)
      await page.goto('about:blank')
      network.close()
    })

    // covers S8.18
    await test.step('a photo upload interrupted by a reload resumes when the photo is chosen again', async () => {
      await choose(page, [photo])
      await describeCatch(page, { name: 'Anele' })
      const setUploadSpeed = await uploadSpeedOf(page)
      await setUploadSpeed(100_000)
      const uploads = watchUploads(page)
      await submit(page)
      await expect.poll(() => shareSent(page)).toBeGreaterThan(0.3)

      await choose(page, [photo])
      await setUploadSpeed(-1)
      await describeCatch(page, { name: 'Anele' })
      await submit(page)

      await expect(page.getByText('1 photo submitted for review.')).toBeVisible({ timeout: 40_000 })
      expect(uploads.started()).toBe(1)
      expect(uploads.offsets).toEqual([0, expect.any(Number)])
      expect(uploads.offsets[1]).toBeGreaterThan(100_000)
    })
  },
)

function widthOf(image: Locator): Promise<number> {
  return image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))
}
