import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'

export type CodeType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_current'
  | 'email_change_token_new'
  | 'reauthentication_token'

export interface CodeOwner {
  userId: string
  type: CodeType
  /** The address it was sent to; part of the hash, so a code is worth nothing for another account. */
  address: string
}

export interface FoundCode extends CodeOwner {
  /** Requested by a client that keeps a verifier: the answer is a code for it, not tokens. */
  isForVerifier: boolean
}

const VERIFIER_PREFIX = 'pkce_'

export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Hex SHA-224 of address and code: what the link carries and the database keeps. */
export function hashCode(address: string, code: string): string {
  return createHash('sha224').update(`${address}${code}`).digest('hex')
}

/** The code replaces an earlier one of its type; returns the hash for the link. */
export async function storeCode(
  client: PoolClient,
  { userId, type, address }: CodeOwner,
  { code, isForVerifier }: { code: string; isForVerifier: boolean },
): Promise<string> {
  const hash = `${isForVerifier ? VERIFIER_PREFIX : ''}${hashCode(address, code)}`
  await client.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
     values ($1, $2, $3, $4, $5, now() at time zone 'utc', now() at time zone 'utc')
     on conflict (user_id, token_type) do update
       set token_hash = excluded.token_hash, relates_to = excluded.relates_to,
         created_at = excluded.created_at, updated_at = excluded.updated_at`,
    [randomUUID(), userId, type, hash, address],
  )
  return hash
}

export interface PresentedCode {
  hash: string
  types: CodeType[]
  lifetimeSeconds: number
}

/** Uses the code up: of two who present it at once, one gets it. */
export async function takeCode(client: PoolClient, presented: PresentedCode): Promise<FoundCode | null> {
  const { hash, types, lifetimeSeconds } = presented
  const { rows } = await client.query<CodeOwner & { hash: string }>(
    `delete from auth.one_time_tokens
     where token_hash in ($1::text, $2::text) and token_type = any ($3::text[])
       and created_at > now() at time zone 'utc' - make_interval(secs => $4)
     returning user_id as "userId", token_type as type, relates_to as address, token_hash as hash`,
    [hash, `${VERIFIER_PREFIX}${hash}`, types, lifetimeSeconds],
  )
  const [found] = rows
  return found ? { ...found, isForVerifier: found.hash.startsWith(VERIFIER_PREFIX) } : null
}

export async function forgetCodes(client: PoolClient, userId: string): Promise<void> {
  await client.query('delete from auth.one_time_tokens where user_id = $1', [userId])
}
