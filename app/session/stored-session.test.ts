import { expect, it } from 'vitest'
import { storageKeyFor, userOfStored } from './stored-session.ts'

it('looks where supabase-js keeps its session', () => {
  expect(storageKeyFor('localhost')).toBe('sb-localhost-auth-token')
  expect(storageKeyFor('shop.example.co.za')).toBe('sb-shop-auth-token')
})

it('knows the user of a kept session', () => {
  const kept = {
    refresh_token: 'r',
    user: { id: 'u1', email: 'thandi@example.com', user_metadata: { full_name: 'Thandi' } },
  }

  expect(userOfStored(JSON.stringify(kept))).toEqual({
    id: 'u1',
    email: 'thandi@example.com',
    fullName: 'Thandi',
  })
})

it.each([null, '', '{', 'null', '[]', '{"refresh_token":1}', '{"refresh_token":"r","user":7}'])(
  'takes %j for no session',
  (text) => {
    expect(userOfStored(text)).toBeNull()
  },
)
