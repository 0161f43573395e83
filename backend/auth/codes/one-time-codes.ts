import { createHash, createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'

import { hashesMatch } from '../factors/compare-hashes.ts'

export type CodeType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_current'
  | 'email_change_token_new'
  | 'reauthentication_token'

export interface CodeOwner {
  userId: string
  type: CodeType
  /** Where the mail went; a typed code is looked up by it. */
  address: string
}

export interface FoundCode extends CodeOwner {
  /** The PKCE flow of the browser that asked: it gets a code to exchange, not tokens. */
  flowId: string | null
}

/** Tells the client's library that the page which the link leads to receives a code instead of tokens. */
const VERIFIER_PREFIX = 'pkce_'
const LINK_SECRET_BYTES = 32
/** Six digits are few: after this many wrong guesses only the link still works. */
const MAX_WRONG_GUESSES = 5

export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(LINK_SECRET_BYTES).toString('base64url')
}

/** A plain hash is enough: 256 random bits cannot be found from it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Keyed, because a plain hash of six digits is inverted by trying a million of them. */
export function hashCode(key: string, about: string, code: string): string {
  return createHmac('sha256', key).update(`${about}:${code}`).digest('hex')
}

export interface NewCode {
  owner: CodeOwner
  code: string
  flowId: string | null
  /** For `hashCode`. */
  key: string
}

/** Replaces an earlier link and code of the same type. Returns the link's secret, which is stored only as a hash. */
export async function storeCode(client: PoolClient, { owner, code, flowId, key }: NewCode): Promise<string> {
  const secret = `${flowId ? VERIFIER_PREFIX : ''}${newSecret()}`
  const address = owner.address.toLowerCase()
  const { rows } = await client.query<{ id: string }>(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
     values ($1, $2, $3, $4, $5, now() at time zone 'utc', now() at time zone 'utc')
     on conflict (user_id, token_type) do update
       set token_hash = excluded.token_hash, relates_to = excluded.relates_to,
         created_at = excluded.created_at, updated_at = excluded.updated_at
     returning id`,
    [randomUUID(), owner.userId, owner.type, hashSecret(secret), address],
  )
  await client.query(
    `insert into auth.mailed_codes (token_id, code_hash, flow_id) values ($1, $2, $3)
     on conflict (token_id) do update
       set code_hash = excluded.code_hash, flow_id = excluded.flow_id, wrong_guesses = 0`,
    [rows[0]?.id, hashCode(key, address, code), flowId],
  )
  return secret
}

interface Wanted {
  types: CodeType[]
  lifetimeSeconds: number
}

const FOUND = `t.user_id as "userId", t.token_type as type, t.relates_to as address, c.flow_id as "flowId"`
const STILL_GOOD = `t.token_type = any ($2::text[]) and t.created_at > now() at time zone 'utc' - make_interval(secs => $3)`

/** Uses the link up: of two that present it at once, one gets it. */
export async function takeLink(
  client: PoolClient,
  { secret, types, lifetimeSeconds }: Wanted & { secret: string },
): Promise<FoundCode | null> {
  await lockAccounts(client, 'token_hash', hashSecret(secret))
  const { rows } = await client.query<FoundCode>(
    `delete from auth.one_time_tokens t using auth.mailed_codes c
     where c.token_id = t.id and t.token_hash = $1 and ${STILL_GOOD}
     returning ${FOUND}`,
    [hashSecret(secret), types, lifetimeSeconds],
  )
  return rows[0] ?? null
}

export interface TypedCode extends Wanted {
  address: string
  code: string
  /** For `hashCode`. */
  key: string
  /** Only a code of this account, where the caller is signed in. */
  userId?: string
}

/**
 * Uses the code up, and the link that was mailed with it. A wrong guess is counted against every code that waits for this
 * address, so the caller's transaction must be committed either way.
 */
export async function takeTypedCode(client: PoolClient, typed: TypedCode): Promise<FoundCode | null> {
  const { address, code, key, types, lifetimeSeconds, userId } = typed
  const sentTo = address.toLowerCase()
  await lockAccounts(client, 'relates_to', sentTo)
  const { rows } = await client.query<FoundCode & { id: string; hash: string }>(
    `select t.id, c.code_hash as hash, ${FOUND}
     from auth.one_time_tokens t join auth.mailed_codes c on c.token_id = t.id
     where t.relates_to = $1 and ${STILL_GOOD} and c.wrong_guesses < $4 and ($5::uuid is null or t.user_id = $5)
     order by t.id for update`,
    [sentTo, types, lifetimeSeconds, MAX_WRONG_GUESSES, userId ?? null],
  )
  const given = hashCode(key, sentTo, code)
  const [right] = rows.filter(({ hash }) => hashesMatch(hash, given))
  await client.query(
    right
      ? 'delete from auth.one_time_tokens where id = any ($1)'
      : 'update auth.mailed_codes set wrong_guesses = wrong_guesses + 1 where token_id = any ($1)',
    [right ? [right.id] : rows.map(({ id }) => id)],
  )
  if (!right) return null
  const { userId: owner, type, address: mailbox, flowId } = right
  return { userId: owner, type, address: mailbox, flowId }
}

/** The accounts before their codes: a password change locks in this order too, and the other order would deadlock. */
async function lockAccounts(
  client: PoolClient,
  column: 'token_hash' | 'relates_to',
  value: string,
): Promise<void> {
  await client.query(
    `select from auth.users where id in (select user_id from auth.one_time_tokens where ${column} = $1)
     order by id for no key update`,
    [value],
  )
}

/**
 * Makes everything worthless that was mailed for an account and not yet used: links, codes, PKCE flows and a pending change
 * of address. Whoever asked for them knew the account as it was before. The flow that the caller is just finishing stays.
 */
export async function cancelPending(
  client: PoolClient,
  userId: string,
  { exceptFlow }: { exceptFlow?: string | null } = {},
): Promise<void> {
  await client.query('delete from auth.one_time_tokens where user_id = $1', [userId])
  await client.query('delete from auth.flow_state where user_id = $1 and id is distinct from $2::uuid', [
    userId,
    exceptFlow ?? null,
  ])
  await client.query('delete from auth.email_change_confirmations where user_id = $1', [userId])
  await client.query(
    `update auth.users set email_change = '', email_change_confirm_status = 0, updated_at = now()
     where id = $1 and coalesce(email_change, '') <> ''`,
    [userId],
  )
}
