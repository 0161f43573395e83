import type { Page } from '@playwright/test'
import { totp } from './fixtures/authenticator.ts'
import { signInOverApi, signUpCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdAnswer } from './fixtures/hold-answer.ts'
import { loseResponses } from './fixtures/lose-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { signInAs } from './fixtures/signed-in.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('no page says that a change failed when the shop made the change and only the response is lost', async ({
  page,
  shop,
}) => {
  const { client, email, userId } = await signUpCustomer(shop)
  await signInOverApi(shop, email)
  await signInAs(page, { shop, client })

  await test.step('the form says that the details may already be saved', async () => {
    await page.goto('/account/details')
    await page.getByLabel('City').fill('Gqeberha')
    const restore = await loseResponses(page, '/rest/v1/profiles')
    await press(page, 'Save my details')
    await expect(page.getByText('your details may already be saved')).toContainText('still in the form')
    expect((await client.from('profiles').select('city').eq('id', userId).single()).data?.city).toBe(
      'Gqeberha',
    )
    await restore()
  })

  const news = page.getByRole('switch', { name: /news and offers/ })
  await test.step('the switch for news shows what the shop recorded', async () => {
    await page.goto('/account/data')
    await expect(news).not.toBeChecked()
    const restore = await loseResponses(page, '/rpc/set_marketing_consent')
    await news.click()
    await expect(page.getByText('your choice may already be saved')).toBeVisible()
    await expect(news).toBeChecked()
    await restore()
  })

  await test.step('the switch for news keeps a choice that was made while an older answer was on its way', async () => {
    // The page loads the choice again, as after a lost connection.
    const release = await holdAnswer(page, '/rpc/marketing_consent', () =>
      page.evaluate(() => {
        dispatchEvent(new Event('offline'))
        dispatchEvent(new Event('online'))
      }),
    )
    await news.click()
    await expect(news).not.toBeChecked()
    await release()
    await afterTwoFrames(page)
    await expect(news).not.toBeChecked()
  })

  await test.step('the page says that a session may be ended, and that a mail may be on its way', async () => {
    await page.goto('/account/security')
    const sessions = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem')
    await expect(sessions).toHaveCount(2)
    const restoreLogout = await loseResponses(page, '/auth/v1/logout')
    await press(page, 'Sign out everywhere else')
    await expect(page.getByText('the sign-out may have worked')).toBeVisible()
    await expect(sessions).toHaveCount(1)
    await restoreLogout()

    await signInOverApi(shop, email)
    await page.reload()
    await expect(sessions).toHaveCount(2)
    const restoreSessions = await loseResponses(page, '/auth/v1/sessions/')
    await press(page, 'End session')
    await expect(page.getByText('the sign-out may have worked')).toBeVisible()
    await expect(sessions).toHaveCount(1)
    await restoreSessions()

    const restore = await loseResponses(page, '/auth/v1/resend')
    await press(page, 'Confirm my e-mail')
    await expect(page.getByText('the e-mail may already be on its way')).toBeVisible()
    await shop.mailbox.waitFor(
      ({ recipients, subject }) => recipients.includes(email) && /Confirm/.test(subject ?? ''),
    )
    await restore()
  })

  await test.step('an authenticator app is added after the answer with a first key was lost', async () => {
    const restoreFactors = await loseResponses(page, '/auth/v1/factors')
    await press(page, 'Add an authenticator app')
    await expect(page.getByText('It could not be set up.')).toBeVisible()
    await restoreFactors()

    await press(page, 'Add an authenticator app')
    await expect(page.getByRole('dialog', { name: 'Authenticator app' })).toBeVisible()
  })

  await test.step('the page says that a link for a new password may be on its way', async () => {
    await openHydrated(page, '/auth/forgot-password')
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await loseResponses(page, '/auth/v1/recover')
    await press(page, 'E-mail me a link')
    await expect(page.getByText('the e-mail may already be on its way')).toBeVisible()
    await shop.mailbox.waitFor(
      ({ recipients, subject }) => recipients.includes(email) && /password/.test(subject ?? ''),
    )
  })

  await test.step('the form says that a password may already be changed, and the next attempt tells', async () => {
    await openHydrated(page, '/account/security')
    await page.getByLabel('New password').fill('fresh-water-43')
    const restore = await loseResponses(page, '/auth/v1/user')
    await press(page, 'Change password')
    await expect(page.getByText('your password may already be changed')).toBeVisible()
    await restore()
    await press(page, 'Change password')
    await expect(page.getByText('This is your present password.')).toBeVisible()
  })
})

test(
  'a second step that was added or removed without an answer leaves no page empty',
  { tag: '@long' },
  async ({ page, shop }) => {
    const { client } = await signUpCustomer(shop)
    await signInAs(page, { shop, client })
    const shownKey = page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/)
    const typeFirstCode = async () => {
      await press(page, 'Add an authenticator app')
      await page.getByLabel('Code', { exact: true }).fill(totp(await shownKey.innerText()))
      await press(page, 'Turn it on')
    }

    await test.step('the first app is there after its page was closed before the answer', async () => {
      await openHydrated(page, '/account/security')
      await loseResponses(page, '/verify')
      await loseResponses(page, '/auth/v1/token')
      const verified = page.waitForResponse(/\/factors\/.*\/verify/)
      await typeFirstCode()
      await (await verified).finished()
      await openHydrated(page, '/account/security')
      await press(page, 'Get recovery codes')
      await expect(page.getByText('Keep these somewhere safe')).toBeVisible()
      await press(page, 'Close')
    })

    await test.step('a second app is kept when its answer was lost and the dialog is closed', async () => {
      const restore = await loseResponses(page, '/verify')
      await typeFirstCode()
      await expect(page.getByText('We couldn’t reach the shop.')).toBeVisible()
      await restore()
      await press(page, 'Close')
      await expect(page.getByText('Authenticator app 2')).toBeVisible()
    })

    await test.step('the page asks for the other app after the removal of this one without an answer', async () => {
      const removed = await loseResponses(page, '/auth/v1/factors/')
      await page.getByRole('listitem').filter({ hasText: 'Authenticator app 2' }).getByRole('button').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
      await removed()
    })
  },
)
