import { expect, it } from 'vitest'

import { findTotpStep, newTotpSecret, totpCode, totpUri } from './totp.ts'

/** The secret of RFC 6238, appendix B: `12345678901234567890`. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('computes the code of RFC 6238 at second %i', (seconds, code) => {
  expect(totpCode(SECRET, seconds * 1000)).toBe(code)
})

it('accepts the code of the current step, the one before and the one after', () => {
  const at = 1_111_111_111_000
  const step = Math.floor(at / 30_000)
  const found = [-2, -1, 0, 1, 2].map((offset) =>
    findTotpStep(SECRET, totpCode(SECRET, at + offset * 30_000), at),
  )

  expect(found).toEqual([null, step - 1, step, step + 1, null])
})

it.each(['', '05047', '0504711', '050472', 'o50471', '０５０４７１'])('rejects the code %j', (code) => {
  expect(findTotpStep(SECRET, code, 1_111_111_111_000)).toBeNull()
})

it('creates secrets of 160 random bits in Base32', () => {
  const secrets = new Set(Array.from({ length: 50 }, newTotpSecret))

  expect(secrets.size).toBe(50)
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
})

it('describes the secret to an authenticator app and escapes names', () => {
  expect(totpUri({ secret: SECRET, issuer: 'Shop & Co', account: 'a:b@example.com' })).toBe(
    `otpauth://totp/Shop%20%26%20Co:a%3Ab%40example.com?algorithm=SHA1&digits=6&issuer=Shop%20%26%20Co&period=30&secret=${SECRET}`,
  )
})
