import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { expect, it } from 'vitest'
import { fetchStaffRole } from './staff-role.ts'

/** The official client, with a fake backend that returns this response. */
function clientReceiving(body: object, status: number) {
  const headers = { 'content-type': 'application/json' }
  return createClient<ShopDatabase>('http://shop.example', 'key', {
    global: { fetch: () => Promise.resolve(new Response(JSON.stringify(body), { status, headers })) },
  })
}

it('recognises an admin by the row in user_roles', async () => {
  expect(await fetchStaffRole(clientReceiving([{ role: 'admin' }], 200), 'u1')).toBe('admin')
})

it('recognises a packer by the row in user_roles', async () => {
  expect(await fetchStaffRole(clientReceiving([{ role: 'packer' }], 200), 'u1')).toBe('packer')
})

// covers S8.6
it('treats a user without a role row as not admin', async () => {
  expect(await fetchStaffRole(clientReceiving([], 200), 'u1')).toBe(null)
})

// covers S8.6
it('treats the error PGRST116 as not admin, without an error', async () => {
  const none = { code: 'PGRST116', message: 'no rows', details: null, hint: null }

  expect(await fetchStaffRole(clientReceiving(none, 406), 'u1')).toBe(null)
})

// covers S8.6
it('throws any other error of the role lookup, which says nothing about the role', async () => {
  const broken = { code: '42501', message: 'permission denied', details: null, hint: null }

  await expect(fetchStaffRole(clientReceiving(broken, 403), 'u1')).rejects.toMatchObject({ code: '42501' })
})
