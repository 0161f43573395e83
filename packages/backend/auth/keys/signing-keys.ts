import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Pool } from 'pg'
import { z } from 'zod'

import { findRow, selectRows } from '#backend/database/select-rows.ts'
import { inTransaction } from '#backend/database/transaction.ts'

export const SIGNING_ALGORITHM = 'ES256'

/** Longer than tokens live and than clients cache the published keys. */
const RETIRED_KEY_LIFETIME = '8 days'

const signingKey = z.object({
  kid: z.string(),
  privateJwk: z.object({
    kty: z.literal('EC'),
    crv: z.string(),
    x: z.string(),
    y: z.string(),
    d: z.string(),
    kid: z.string(),
    alg: z.string().optional(),
    use: z.string().optional(),
    key_ops: z.array(z.string()).optional(),
  }),
})

export type SigningKey = z.infer<typeof signingKey>

/** Returns the active key; the first call creates it. */
export async function loadSigningKey(owner: Pool): Promise<SigningKey> {
  return (await findSigningKey(owner)) ?? addFirstKey(owner)
}

/** Activates a new key. The old one stays published until all tokens signed with it have expired. */
export async function rotateSigningKey(owner: Pool): Promise<SigningKey> {
  const key = await generateSigningKey()
  await inTransaction(owner, async (client) => {
    await client.query('lock table auth.signing_keys in exclusive mode')
    await client.query(
      `delete from auth.signing_keys where retired_at < now() - interval '${RETIRED_KEY_LIFETIME}'`,
    )
    await client.query('update auth.signing_keys set retired_at = now() where retired_at is null')
    await client.query('insert into auth.signing_keys (kid, private_jwk) values ($1, $2)', [
      key.kid,
      key.privateJwk,
    ])
  })
  return key
}

/** Returns the published keys, newest first: all that valid tokens may be signed with. */
export async function loadPublicKeys(owner: Pool): Promise<JWK[]> {
  await loadSigningKey(owner)
  const keys = await selectRows(owner, signingKey, [
    `select kid, private_jwk as "privateJwk" from auth.signing_keys
     where retired_at is null or retired_at > now() - interval '${RETIRED_KEY_LIFETIME}'
     order by created_at desc`,
  ])
  return keys.map(({ privateJwk }) => publicHalf(privateJwk))
}

function findSigningKey(owner: Pool): Promise<SigningKey | null> {
  return findRow(owner, signingKey, [
    'select kid, private_jwk as "privateJwk" from auth.signing_keys where retired_at is null',
  ])
}

async function addFirstKey(owner: Pool): Promise<SigningKey> {
  const { kid, privateJwk } = await generateSigningKey()
  // If two processes find no key concurrently, the unique index lets only one insert it.
  await owner.query(
    'insert into auth.signing_keys (kid, private_jwk) values ($1, $2) on conflict do nothing',
    [kid, privateJwk],
  )
  const key = await findSigningKey(owner)
  if (!key) throw new Error('auth.signing_keys holds no active key after one was written')
  return key
}

async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return signingKey.parse({
    kid,
    privateJwk: { ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig', key_ops: ['sign'] },
  })
}

/** Lists the members one by one, so that no private one is published by oversight. */
function publicHalf({ kty, crv, x, y, kid }: JWK): JWK {
  return { kty, crv, x, y, kid, alg: SIGNING_ALGORITHM, use: 'sig', key_ops: ['verify'] }
}
