import { importJWK, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import type { Pool } from 'pg'

import { loadSigningKey, SIGNING_ALGORITHM } from './signing-keys.ts'

/** Another process's key rotation takes effect after this time; retired keys stay published far longer. */
const KEY_CACHED_MS = 60_000

export type SignToken = (claims: JWTPayload) => Promise<string>

export function createTokenSigner(owner: Pool): SignToken {
  let current: Promise<{ kid: string; key: CryptoKey | Uint8Array }> | null = null
  let loadedAt = 0

  async function load() {
    const { kid, privateJwk } = await loadSigningKey(owner)
    return { kid, key: await importJWK(privateJwk, SIGNING_ALGORITHM) }
  }

  return async function signToken(claims) {
    if (!current || Date.now() - loadedAt > KEY_CACHED_MS) {
      loadedAt = Date.now()
      current = load()
      current.catch(() => {
        current = null
      })
    }
    const { kid, key } = await current
    return new SignJWT(claims).setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'JWT' }).sign(key)
  }
}
