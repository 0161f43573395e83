import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { afterEach, expect, it, vi } from 'vitest'
import { isAdmin } from './is-admin.ts'

const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => logged.mockClear())

/** The official client before a shop that answers so. */
function shopAnswering(body: object, status: number) {
  const headers = { 'content-type': 'application/json' }
  return createClient<ShopDatabase>('http://shop.example', 'key', {
    global: { fetch: () => Promise.resolve(new Response(JSON.stringify(body), { status, headers })) },
  })
}

it('knows an admin by the row', async () => {
  expect(await isAdmin(shopAnswering([{ role: 'admin' }], 200), 'u1')).toBe(true)
})

// covers S8.6
it('treats an empty answer as not admin', async () => {
  expect(await isAdmin(shopAnswering([], 200), 'u1')).toBe(false)
  expect(logged).not.toHaveBeenCalled()
})

// covers S8.6
it('treats PGRST116 as not admin and logs nothing', async () => {
  const none = { code: 'PGRST116', message: 'no rows', details: null, hint: null }

  expect(await isAdmin(shopAnswering(none, 406), 'u1')).toBe(false)
  expect(logged).not.toHaveBeenCalled()
})

// covers S8.6
it('logs any other error and treats it as not admin', async () => {
  const broken = { code: '42501', message: 'permission denied', details: null, hint: null }

  expect(await isAdmin(shopAnswering(broken, 403), 'u1')).toBe(false)
  expect(logged).toHaveBeenCalledWith('admin check failed', expect.objectContaining({ code: '42501' }))
})
