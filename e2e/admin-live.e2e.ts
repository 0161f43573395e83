import { createClient } from '@supabase/supabase-js'
import { expect, test } from './fixtures/journey.ts'
import { openLive } from './fixtures/live.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'

test('a paid order and a message appear by themselves, with a word about each', async ({
  brother: { page },
  shop,
}) => {
  await openLive(page, '/admin/orders')
  await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()

  const { number } = await aPaidOrder(shop)

  await expect(page.getByText('New paid order')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: number })).toBeVisible()

  await openLive(page, '/admin/messages')
  await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toBeVisible()
  const { publishable } = await shop.keys()
  const message = {
    name: 'Naledi',
    email: 'naledi@example.com',
    subject: `About ${number}`,
    message: 'Is it on its way yet?',
  }
  await createClient(shop.url, publishable).from('contact_submissions').insert(message)

  await expect(page.getByText(`Naledi: About ${number}`)).toBeVisible()
  await expect(page.getByRole('main').getByText('Is it on its way yet?')).toBeVisible()
})
