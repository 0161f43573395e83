import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { deletePhoto, type SubmissionStatus } from './submission.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  browser.client = (await shop.admin()).client
})
afterAll(() => shop.close())

async function aPhoto(status: SubmissionStatus): Promise<{ id: string }> {
  const { rows } = await shop.database.owner.query(
    `insert into public.gallery_submissions (customer_name, description, image_url, image_urls, status)
     values ('Sipho', 'Garrick', '/a.jpg', '{/a.jpg}', $1) returning id`,
    [status],
  )
  return rows[0]
}

async function isThere({ id }: { id: string }): Promise<boolean> {
  const { rowCount } = await shop.database.owner.query(
    'select from public.gallery_submissions where id = $1',
    [id],
  )
  return rowCount === 1
}

it('deletes a declined photo, also when its first answer was lost', async () => {
  const photo = await aPhoto('declined')

  await deletePhoto(photo)
  await deletePhoto(photo)

  expect(await isThere(photo)).toBe(false)
})

it('says that a photo whose decision a colleague has taken back was not deleted', async () => {
  const photo = await aPhoto('pending')

  await expect(deletePhoto(photo)).rejects.toThrow('was not deleted')

  expect(await isThere(photo)).toBe(true)
})
