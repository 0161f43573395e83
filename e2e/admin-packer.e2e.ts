import { PASSWORD } from './fixtures/angler.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { askDatabase } from './fixtures/shop-database.ts'

test('a packer ships an order and finds no money, no clients and nothing to delete', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const order = await aPaidOrder(shop)
  const { email, userId } = await aCustomer(shop)
  await askDatabase(shop, `insert into public.user_roles (user_id, role) values ($1, 'packer')`, [userId])
  await page.goto('/auth')
  await angler.signIn({ email, password: PASSWORD })

  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/orders$/)
  await expect(page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link')).toHaveText([
    'Orders',
    'Gallery',
    'Messages',
  ])
  const row = page.getByRole('row').filter({ hasText: order.number })
  await expect(row.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await expect(row.getByRole('option', { name: 'Cancelled' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Create order' })).toHaveCount(0)

  await row.getByRole('link', { name: order.number, exact: true }).click()
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await expect(details.getByRole('region', { name: 'Timeline' })).toContainText('confirmed')
  await expect(details.getByRole('region', { name: 'Payment record' })).toHaveCount(0)
  await expect(details.getByRole('button', { name: 'Cancel order' })).toHaveCount(0)
  await expect(details.getByRole('link', { name: 'Invoice' })).toHaveCount(0)
  await details.getByRole('button', { name: 'Start making it' }).click()
  await details.getByRole('button', { name: 'Ship it' }).click()
  const couriers = details.getByLabel('Courier Company')
  await expect(couriers.getByRole('option', { name: '+ Create New Courier' })).toHaveCount(0)
  await expect(details.getByText('An admin can add a missing courier.')).toBeVisible()
  await details.getByLabel('Tracking Number').fill('TCG-2024')
  await couriers.selectOption('The Courier Guy')
  await details.getByRole('button', { name: 'Update Tracking & Ship Order' }).click()
  await expect(details.getByRole('button', { name: 'Mark as delivered' })).toBeVisible()

  for (const path of ['/admin/clients', '/admin/settings', `/admin/print/invoices?orders=${order.id}`]) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/admin\/orders$/)
  }
  await page.goto('/admin/messages')
  await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Export/ })).toHaveCount(0)
})
