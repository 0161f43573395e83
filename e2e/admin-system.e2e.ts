import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { queryDatabase } from './fixtures/shop-database.ts'

test('the System page shows what is wrong and what to do, refreshes, and sends a test alert', async ({
  adminPage: page,
  shop,
}) => {
  const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  // Other journeys in this shop leave issues, which the shop reports after a while.
  await queryDatabase(
    shop,
    `insert into public.payment_issue_resolutions (issue_id, note) select id, 'left over' from public.open_payment_issues`,
  )

  await test.step('a failing connection shows an error with a button to try again', async () => {
    await intercept(page, '**/functions/v1/show-system', (route) => route.abort())
    await page.goto('/admin/system')
    await expect(page.getByRole('heading', { name: 'System could not be loaded' })).toBeVisible()
    await page.unroute('**/functions/v1/show-system')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(checks.filter({ hasText: 'The database answers.' })).toBeVisible()
    await expect(async () => {
      await queryDatabase(shop, 'delete from private.alerts')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByText('There have been no alerts yet.')).toBeVisible({ timeout: 2000 })
    }).toPass()
  })

  await test.step('a problem appears first, with what to do, after a refresh', async () => {
    await queryDatabase(
      shop,
      `insert into public.mails (key, template, props, status, attempts)
       values ('system:lost', 'admin-email', '{}', 'failed', 44);
       insert into private.alerts (component, state, message)
       values ('mail', 'warning', '1 e-mail could not be delivered within three days.')`,
    )
    // A check that a standing machine keeps from ending counts as failed, and comes first.
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(checks.first()).toContainText('Open Needs attention to see which', { timeout: 5000 })
    }).toPass()
    await expect(page.getByRole('list', { name: 'Latest alerts' })).toContainText('Open')
    await queryDatabase(
      shop,
      `delete from public.mails where key = 'system:lost'; delete from private.alerts`,
    )
  })

  await test.step('a test alert reports what the mail server said', async () => {
    await page.getByRole('button', { name: 'Send a test alert' }).click()
    await expect(page.getByText('The mail server accepted an e-mail to')).toBeVisible()
  })
})
