import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'

test('a typed note is not lost when Back is pressed with an untouched form open over it', async ({
  brother: { page },
  shop,
}) => {
  const warnings: string[] = []
  page.on('console', (message) => warnings.push(message.text()))
  const order = await aPaidOrder(shop)
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByRole('row').filter({ hasText: order.number }).getByRole('link').first().click()
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await details.getByLabel('New note').fill('Ring before the courier comes')
  await details.getByRole('button', { name: 'Change address' }).click()
  await expect(page.getByRole('dialog', { name: 'Change address' })).toBeVisible()

  await page.goBack()

  await expect(page.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/orders/${order.id}`))
  await expect(page.getByLabel('New note')).toHaveValue('Ring before the courier comes')
  expect(warnings.filter((text) => text.includes('only supports one blocker'))).toEqual([])
})
