import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'

test.use({ javaScriptEnabled: false })

test('every page is complete without scripts or names an alternative', async ({ page }) => {
  // covers S47
  await test.step('a page is complete without scripts', async () => {
    await page.goto('/products/chisel-nose-popper-150')

    await expect(page.getByRole('heading', { level: 1 })).toContainText('Chisel Nose Popper 150mm/30G')
    await expect(page.getByRole('main')).toContainText('R110')
  })

  // covers S4 S47
  await test.step('the catalogue filters work without scripts', async () => {
    await page.goto('/products')
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Type').selectOption('Stick Baits')
    await page.getByRole('button', { name: 'Show' }).click()

    await expect(page.getByRole('article')).toHaveCount(1)
  })

  // covers S47
  await test.step('pages without scripts hide forms that need scripts and name an alternative', async () => {
    for (const path of ['/auth', '/auth/forgot-password', '/contact', '/gallery']) {
      await page.goto(path)
      await expectNoScriptOnlyForm(page)
    }
    for (const path of ['/checkout', '/account']) {
      await page.goto(path)
      expect(await page.locator('main noscript:visible').textContent()).toContain('needs JavaScript')
    }
  })
})

async function expectNoScriptOnlyForm(page: Page): Promise<void> {
  // The page's own form, and the newsletter form in every footer.
  const words = page.locator('form > noscript:visible')
  await expect(words).toHaveCount(2)
  for (const text of await words.allTextContents()) expect(text).toContain('This form needs JavaScript')
  await expect(page.locator('[data-by-script] :is(input, textarea, button):visible')).toHaveCount(0)
  const forms = page.locator('form:not([action])')
  for (const form of await forms.all()) await expect(form).toHaveAttribute('method', 'post')
}
