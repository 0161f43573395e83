import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { aShortPayment } from './fixtures/payment-issues.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import type { OpenShop } from './shop.ts'

test('an admin refunds a short payment and dismisses the notice of a full gallery', async ({
  brother: { page },
  shop,
}) => {
  await test.step('an admin refunds a cancelled order with a short payment from the order’s page', () =>
    refundShortPayment(page, shop))
  await test.step('the notice of a full gallery is listed until an admin dismisses the notice', () =>
    dismissFullGallery(page, shop))
})

async function refundShortPayment(page: Page, shop: OpenShop): Promise<void> {
  const order = await aShortPayment(shop)
  await page.goto(`/admin/orders/${order.id}`)
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await details.getByRole('button', { name: 'Cancel order' }).click()
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: /^Cancel order/ }))
  await expect(question).toContainText('R599.00 has to be refunded')
  await expect(question).toContainText('sends 1 e-mail')
  await question.getByRole('button', { name: 'Cancel order' }).click()

  const due = details.getByRole('region', { name: 'Refund due' })
  await expect(due).toContainText('R599.00 to refund')
  await page.goto('/admin/orders?refund=due')
  await expect(page.getByRole('row').filter({ hasText: order.number })).toContainText('R599.00 to refund')
  await page.goto('/admin/needs-attention')
  const card = page.getByRole('article', { name: `R599.00 to refund, order ${order.number}` })
  await card.getByRole('button', { name: 'Refund R599.00' }).click()
  const refund = page.getByRole('dialog', { name: `Refund order ${order.number}` })
  await refund.getByLabel('Reason').fill('The order was cancelled')
  await refund.getByRole('button', { name: 'Refund R599.00' }).click()

  await expect(page.getByText(order.number)).toHaveCount(0)
}

async function dismissFullGallery(page: Page, shop: OpenShop): Promise<void> {
  for (let refused = 0; refused < 3; refused += 1)
    await queryDatabase(shop, 'select private.record_full_gallery()')
  await page.goto('/admin/needs-attention')

  const card = page.getByRole('article', { name: 'Gallery full' })
  await expect(card).toContainText('refused 3 uploads')
  await expect(card.getByRole('link', { name: 'Review photos' })).toBeVisible()
  await card.getByRole('button', { name: 'Dismiss' }).click()

  await expect(card).toHaveCount(0)
}
