import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Pool } from 'pg'

import { inTransaction } from '#backend/database/transaction.ts'

export const SIGNING_ALGORITHM = 'ES256'

/** Longer than any token lives, and than clients keep the published keys. */
const LISTED_AFTER_RETIREMENT = '8 days'

export interface SigningKey {
  kid: string
  privateJwk: JWK
}

/** The key that signs now; made on the first call over a new database. */
export async function loadSigningKey(owner: Pool): Promise<SigningKey> {
  return (await findSigningKey(owner)) ?? addFirstKey(owner)
}

/** A new key signs from now on; the old one is listed until every token signed with it has expired. */
export async function rotateSigningKey(owner: Pool): Promise<SigningKey> {
  const key = await generateSigningKey()
  await inTransaction(owner, async (client) => {
    await client.query('lock table auth.signing_keys in exclusive mode')
    await client.query(
      `delete from auth.signing_keys where retired_at < now() - interval '${LISTED_AFTER_RETIREMENT}'`,
    )
    await client.query('update auth.signing_keys set retired_at = now() where retired_at is null')
    await client.query('insert into auth.signing_keys (kid, private_jwk) values ($1, $2)', [
      key.kid,
      key.privateJwk,
    ])
  })
  return key
}

/** What anybody may know: the keys that tokens in use may be signed with, newest first. */
export async function loadPublicKeys(owner: Pool): Promise<JWK[]> {
  await loadSigningKey(owner)
  const { rows } = await owner.query<{ jwk: JWK }>(
    `select private_jwk as jwk from auth.signing_keys
     where retired_at is null or retired_at > now() - interval '${LISTED_AFTER_RETIREMENT}'
     order by created_at desc`,
  )
  return rows.map(({ jwk }) => publicHalf(jwk))
}

async function findSigningKey(owner: Pool): Promise<SigningKey | null> {
  const { rows } = await owner.query<SigningKey>(
    'select kid, private_jwk as "privateJwk" from auth.signing_keys where retired_at is null',
  )
  return rows[0] ?? null
}

async function addFirstKey(owner: Pool): Promise<SigningKey> {
  const { kid, privateJwk } = await generateSigningKey()
  // Two processes may both have found no key: the index on the active key lets one of them in.
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
  return { kid, privateJwk: { ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig', key_ops: ['sign'] } }
}

/** Named member by member, so that nothing private can be published by an oversight. */
function publicHalf({ kty, crv, x, y, kid }: JWK): JWK {
  return { kty, crv, x, y, kid, alg: SIGNING_ALGORITHM, use: 'sig', key_ops: ['verify'] }
}
