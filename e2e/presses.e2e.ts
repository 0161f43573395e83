import type { Locator, Page } from '@playwright/test'
import { afterTwoFrames } from './fixtures/frames.ts'
import { openHydrated, waitForHydration } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'
import { acceptTerms, openCheckout } from './fixtures/signed-in.ts'

/** Presses near the upper edge, where a new line above would move the button away, and releases after two frames. */
async function pressSlowly(page: Page, button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  const box = await button.boundingBox()
  if (!box) throw new Error('there is no button to press')
  await page.mouse.move(box.x + 40, box.y + 8)
  await page.mouse.down()
  await afterTwoFrames(page)
  await page.mouse.up()
}

test(
  'a button receives a press even if the press takes the focus from an invalid field',
  { tag: '@long' },
  async ({ page }) => {
    await test.step('an invalid field shows an error after a press elsewhere', async () => {
      await openHydrated(page, '/contact')
      await page.getByLabel('Message').fill('short')
      await page.getByRole('heading', { name: 'Write to us' }).click()
      await expect(page.getByText('Message must be at least 10 characters')).toBeVisible()
    })

    await test.step('Send Message receives a press from an invalid field', async () => {
      await page.reload()
      await waitForHydration(page)
      await page.getByLabel('Message').fill('short')

      await pressSlowly(page, page.getByRole('button', { name: 'Send Message' }))

      await expect(
        page.getByRole('alert').filter({ hasText: 'Name must be at least 2 characters' }),
      ).toBeVisible()
    })

    await test.step('Sign Up receives a press from an invalid field', async () => {
      await page.goto('/auth')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      const form = page.getByRole('tabpanel', { name: 'Sign Up' })
      await form.getByLabel('Password').fill('abc')

      await pressSlowly(page, form.getByRole('button', { name: 'Sign Up' }))

      await expect(form.getByLabel('Full Name')).toBeFocused()
    })

    await test.step('Submit for Review receives a press from an invalid field', async () => {
      await openHydrated(page, '/gallery')
      await page.getByLabel(/^E-mail \(/).fill('sipho')

      await pressSlowly(page, page.getByRole('button', { name: 'Submit for Review' }))

      await expect(page.getByRole('alert')).toBeVisible()
    })
  },
)

test('Place Order receives a second press from a newly invalid field', async ({ angler, shop }) => {
  const { page } = angler
  await openCheckout(page, { shop })
  await acceptTerms(page)
  await page.getByLabel('Phone').fill('')
  await angler.placeOrderButton.click()
  await expect(page.getByRole('alert')).toContainText('Validation Error')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByLabel('City').fill('x')

  await pressSlowly(page, angler.placeOrderButton)

  await expect(page.getByRole('alert')).toContainText('Validation Error')
})
