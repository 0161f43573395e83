import { expect, it } from 'vitest'
import { parseStoredSession, storageKeyFor } from './stored-session.ts'

it('computes the same session storage key as supabase-js', () => {
  expect(storageKeyFor('localhost')).toBe('sb-localhost-auth-token')
  expect(storageKeyFor('shop.example.co.za')).toBe('sb-shop-auth-token')
})

// covers S4.1
it('reads the user from a stored session', () => {
  const stored = {
    refresh_token: 'r',
    user: { id: 'u1', email: 'thandi@example.com', user_metadata: { full_name: 'Thandi' } },
  }

  expect(parseStoredSession(JSON.stringify(stored))).toEqual({
    user: { id: 'u1', email: 'thandi@example.com', fullName: 'Thandi' },
    factors: [],
    awaitsFactor: false,
  })
})

it.each([
  ['verified', 'aal1', true],
  ['verified', 'aal2', false],
  ['unverified', 'aal1', false],
])('for a factor that is %s and a token of %s, sets awaitsFactor to %s', (status, aal, awaitsFactor) => {
  const token = ['e30', Buffer.from(JSON.stringify({ aal, name: 'Zoë ✓' })).toString('base64url'), 's'].join(
    '.',
  )
  const stored = { refresh_token: 'r', access_token: token, user: { id: 'u1', factors: [{ status }] } }

  expect(parseStoredSession(JSON.stringify(stored))?.awaitsFactor).toBe(awaitsFactor)
})

it('lists the verified factors of a stored session', () => {
  const factors = [
    { id: 'f1', factor_type: 'totp', friendly_name: 'Phone', status: 'verified' },
    { id: 'f2', factor_type: 'webauthn', status: 'unverified' },
  ]

  expect(
    parseStoredSession(JSON.stringify({ refresh_token: 'r', user: { id: 'u1', factors } }))?.factors,
  ).toEqual([{ id: 'f1', factor_type: 'totp', friendly_name: 'Phone' }])
})

it('waits for the second factor when the stored token is malformed', () => {
  const stored = {
    refresh_token: 'r',
    access_token: 'x',
    user: { id: 'u1', factors: [{ status: 'verified' }] },
  }

  expect(parseStoredSession(JSON.stringify(stored))?.awaitsFactor).toBe(true)
})

it.each([null, '', '{', 'null', '[]', '{"refresh_token":1}', '{"refresh_token":"r","user":7}'])(
  'treats the stored value %j as no session',
  (text) => {
    expect(parseStoredSession(text)).toBeNull()
  },
)
