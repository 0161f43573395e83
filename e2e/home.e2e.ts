import type { Page } from '@playwright/test'
import { openHydrated, waitForHydration } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const film = (page: Page) => page.locator('video')
const carousel = (page: Page) => page.getByRole('region', { name: 'The Saltfreak Experience' })
const count = (page: Page) => carousel(page).getByText(/^\d \/ 6$/)

test('the home page’s video and slides move until the visitor pauses the motion', async ({ page }) => {
  await page.clock.install()
  await openHydrated(page, '/')

  // covers S2.23 S51
  await test.step('the hero video is muted, loops and can be paused', async () => {
    const playing = () => film(page).evaluate((video) => video instanceof HTMLVideoElement && !video.paused)
    await expect.poll(playing).toBe(true)
    await expect(film(page)).toHaveJSProperty('muted', true)
    await expect(film(page)).toHaveJSProperty('loop', true)
    const pause = page.getByRole('button', { name: 'Pause film' })
    await pause.click()
    await expect.poll(playing).toBe(false)
    await page.getByRole('button', { name: 'Play film' }).click()
    await expect.poll(playing).toBe(true)
    await pause.click()
  })

  // covers S2.25 S9.10 S51
  await test.step('the experience section advances every 2000 ms, loops and stops only for Pause', async () => {
    const opacity = () =>
      carousel(page)
        .locator('figure')
        .first()
        .evaluate((slide) => Number(getComputedStyle(slide.parentElement ?? slide).opacity))
    expect(await opacity()).toBe(0)
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await carousel(page).scrollIntoViewIfNeeded()
    await expect.poll(opacity).toBe(1)
    await expect(carousel(page).locator('figure')).toHaveCount(6)
    await expect(count(page)).toHaveText('1 / 6')

    await page.clock.runFor(2_000)
    await expect(count(page)).toHaveText('2 / 6')
    await carousel(page).getByRole('button', { name: 'Next slide' }).click()
    await expect(count(page)).toHaveText('3 / 6')
    await page.clock.runFor(2_000)
    await expect(count(page)).toHaveText('4 / 6')
    await page.clock.runFor(6_000)
    await expect(count(page)).toHaveText('1 / 6')

    await carousel(page).getByRole('button', { name: 'Pause slides' }).click()
    await page.clock.runFor(10_000)
    await expect(count(page)).toHaveText('1 / 6')
  })
})

test(
  'visitors with reduced motion or Save-Data get no automatic video',
  { tag: '@long' },
  async ({ page }) => {
    const films: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'media') films.push(request.url())
    })

    // covers S2.23 S51
    await test.step('nothing on the home page moves automatically with reduced motion', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await openHydrated(page, '/')
      await page.waitForLoadState('networkidle')
      await carousel(page).scrollIntoViewIfNeeded()
      await expect(carousel(page).getByRole('button', { name: 'Play slides' })).toBeVisible()
      await expect(film(page)).toHaveCount(0)
      expect(films).toEqual([])
    })

    // covers S57
    await test.step('the hero video waits for a press with Save-Data, and the button explains why', async () => {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } })
      })
      await page.reload()
      await waitForHydration(page)
      await page.waitForLoadState('networkidle')
      await expect(page.getByText('Saving your data: no film, smaller pictures.')).toBeVisible()
      await expect(film(page)).toHaveCount(0)
      expect(films).toEqual([])
      await page.getByRole('button', { name: 'Play film' }).click()
      await expect(film(page)).toBeVisible()
    })
  },
)
