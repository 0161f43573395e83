import { expect, it } from 'vitest'
import { readStored, storageKeyFor } from './stored-session.ts'

it('looks where supabase-js keeps its session', () => {
  expect(storageKeyFor('localhost')).toBe('sb-localhost-auth-token')
  expect(storageKeyFor('shop.example.co.za')).toBe('sb-shop-auth-token')
})

// covers S4.1
it('knows the user of a kept session', () => {
  const kept = {
    refresh_token: 'r',
    user: { id: 'u1', email: 'thandi@example.com', user_metadata: { full_name: 'Thandi' } },
  }

  expect(readStored(JSON.stringify(kept))).toEqual({
    user: { id: 'u1', email: 'thandi@example.com', fullName: 'Thandi' },
    awaitsFactor: false,
  })
})

it.each([
  ['verified', 'aal1', true],
  ['verified', 'aal2', false],
  ['unverified', 'aal1', false],
])('with a factor that is %s and a token of %s awaits the factor: %s', (status, aal, awaitsFactor) => {
  const token = ['e30', Buffer.from(JSON.stringify({ aal, name: 'Zoë ✓' })).toString('base64url'), 's'].join(
    '.',
  )
  const kept = { refresh_token: 'r', access_token: token, user: { id: 'u1', factors: [{ status }] } }

  expect(readStored(JSON.stringify(kept))?.awaitsFactor).toBe(awaitsFactor)
})

it('awaits the factor of a token that cannot be read', () => {
  const kept = {
    refresh_token: 'r',
    access_token: 'x',
    user: { id: 'u1', factors: [{ status: 'verified' }] },
  }

  expect(readStored(JSON.stringify(kept))?.awaitsFactor).toBe(true)
})

it.each([null, '', '{', 'null', '[]', '{"refresh_token":1}', '{"refresh_token":"r","user":7}'])(
  'takes %j for no session',
  (text) => {
    expect(readStored(text)).toBeNull()
  },
)
