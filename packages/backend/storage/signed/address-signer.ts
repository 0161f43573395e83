import { randomBytes } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Pool } from 'pg'

import { asText, selectValue } from '#backend/database/select-rows.ts'
import { StorageError } from '../errors.ts'

export interface AddressSigner {
  /** Returns a token for one file. A separate secret prevents its use as an access token. */
  sign(claims: SignedAddress, lifetimeSeconds: number): Promise<string>
  /** Throws `InvalidJWT` for a token of another file or purpose, too. */
  verify(token: string | undefined, expected: Pick<SignedAddress, 'url' | 'purpose'>): Promise<SignedAddress>
}

export interface SignedAddress extends JWTPayload {
  /** `bucket/path` */
  url: string
  purpose: 'read' | 'upload'
  /** The query of a transformed picture. */
  transformations?: string
  owner?: string
  upsert?: boolean
}

const ALGORITHM = 'HS256'

export function createAddressSigner(owner: Pool): AddressSigner {
  let loading: Promise<Uint8Array> | null = null
  function secret(): Promise<Uint8Array> {
    loading ??= loadAddressSecret(owner).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }

  async function read(token: string): Promise<SignedAddress> {
    try {
      const { payload } = await jwtVerify<SignedAddress>(token, await secret(), {
        algorithms: [ALGORITHM],
        requiredClaims: ['exp', 'url', 'purpose'],
      })
      return payload
    } catch (cause) {
      if (!(cause instanceof errors.JOSEError)) throw cause
      const isExpired = cause instanceof errors.JWTExpired
      throw new StorageError('InvalidJWT', isExpired ? '"exp" claim timestamp check failed' : 'Invalid JWT', {
        cause,
      })
    }
  }

  return {
    async sign(claims, lifetimeSeconds) {
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeSeconds)
        .sign(await secret())
    },

    async verify(token = '', { url, purpose }) {
      const signed = await read(token)
      if (signed.url !== url || signed.purpose !== purpose) throw new StorageError('InvalidJWT')
      return signed
    },
  }
}

/** Returns the secret of signed addresses, which every database has its own of. */
export async function loadAddressSecret(owner: Pool): Promise<Uint8Array> {
  await owner.query(
    `insert into auth.client_keys (kind, key) values ('file_addresses', $1) on conflict (kind) do nothing`,
    [randomBytes(32).toString('base64url')],
  )
  const key = await selectValue(owner, asText, [
    `select key from auth.client_keys where kind = 'file_addresses'`,
  ])
  return new TextEncoder().encode(key)
}
