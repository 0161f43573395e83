import { createHash, createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { asText, findRow, selectRows, selectValue } from '#backend/database/select-rows.ts'
import { isSameSecret } from '#backend/http/constant-time.ts'

const codeType = z.enum([
  'confirmation_token',
  'recovery_token',
  'email_change_token_current',
  'email_change_token_new',
  'reauthentication_token',
])

const mailedCode = z.object({
  userId: z.string(),
  type: codeType,
  /** The mail's recipient; typed codes are looked up by it. */
  address: z.string(),
  /** The PKCE flow of the requesting browser, which gets a code to exchange instead of tokens. */
  flowId: z.string().nullable(),
})

export type CodeType = z.infer<typeof codeType>
export type MailedCode = z.infer<typeof mailedCode>

/** Tells the client library that the redirect carries a code instead of tokens. */
const VERIFIER_PREFIX = 'pkce_'
const LINK_SECRET_BYTES = 32
/** After this many wrong guesses only the link still works. */
const MAX_WRONG_GUESSES = 5

export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(LINK_SECRET_BYTES).toString('base64url')
}

/** A plain hash is enough for 256 random bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Keyed, because a plain hash of six digits is inverted by trying all million codes. */
export function hashCode(key: string, about: string, code: string): string {
  return createHmac('sha256', key).update(`${about}:${code}`).digest('hex')
}

export interface NewCode {
  owner: Omit<MailedCode, 'flowId'>
  code: string
  flowId: string | null
  /** For `hashCode`. */
  key: string
}

/** Replaces the account's link and code of the same type. Returns the link's secret; only its hash is stored. */
export async function storeCode(client: PoolClient, { owner, code, flowId, key }: NewCode): Promise<string> {
  const secret = `${flowId ? VERIFIER_PREFIX : ''}${newSecret()}`
  const address = owner.address.toLowerCase()
  const id = await selectValue(client, asText, [
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
     values ($1, $2, $3, $4, $5, now() at time zone 'utc', now() at time zone 'utc')
     on conflict (user_id, token_type) do update
       set token_hash = excluded.token_hash, relates_to = excluded.relates_to,
         created_at = excluded.created_at, updated_at = excluded.updated_at
     returning id`,
    randomUUID(),
    owner.userId,
    owner.type,
    hashSecret(secret),
    address,
  ])
  await client.query(
    `insert into auth.mailed_codes (token_id, code_hash, flow_id) values ($1, $2, $3)
     on conflict (token_id) do update
       set code_hash = excluded.code_hash, flow_id = excluded.flow_id, wrong_guesses = 0`,
    [id, hashCode(key, address, code), flowId],
  )
  return secret
}

interface ValidityRules {
  types: CodeType[]
  lifetimeSeconds: number
}

const CODE_COLUMNS = `t.user_id as "userId", t.token_type as type, t.relates_to as address, c.flow_id as "flowId"`
const IS_VALID = `t.token_type = any ($2::text[]) and t.created_at > now() at time zone 'utc' - make_interval(secs => $3)`

/** Consumes a link; of two concurrent calls only one gets it. */
export async function takeLink(
  client: PoolClient,
  { secret, types, lifetimeSeconds }: ValidityRules & { secret: string },
): Promise<MailedCode | null> {
  await lockAccounts(client, 'token_hash', hashSecret(secret))
  return findRow(client, mailedCode, [
    `delete from auth.one_time_tokens t using auth.mailed_codes c
     where c.token_id = t.id and t.token_hash = $1 and ${IS_VALID}
     returning ${CODE_COLUMNS}`,
    hashSecret(secret),
    types,
    lifetimeSeconds,
  ])
}

const guessableCode = mailedCode.extend({ id: z.string(), hash: z.string() })

export interface TypedCode extends ValidityRules {
  address: string
  code: string
  /** For `hashCode`. */
  key: string
  /** Restricts the lookup to the signed-in caller's account. */
  userId?: string
}

/**
 * Consumes a typed code and the link mailed with it. A wrong guess counts against all codes of this address, so the caller must commit
 * the transaction in either case.
 */
export async function takeTypedCode(client: PoolClient, typed: TypedCode): Promise<MailedCode | null> {
  const { address, code, key, types, lifetimeSeconds, userId } = typed
  const sentTo = address.toLowerCase()
  await lockAccounts(client, 'relates_to', sentTo)
  const codes = await selectRows(client, guessableCode, [
    `select t.id, c.code_hash as hash, ${CODE_COLUMNS}
     from auth.one_time_tokens t join auth.mailed_codes c on c.token_id = t.id
     where t.relates_to = $1 and ${IS_VALID} and c.wrong_guesses < $4 and ($5::uuid is null or t.user_id = $5)
     order by t.id for update`,
    sentTo,
    types,
    lifetimeSeconds,
    MAX_WRONG_GUESSES,
    userId ?? null,
  ])
  const givenHash = hashCode(key, sentTo, code)
  const [match] = codes.filter(({ hash }) => isSameSecret(hash, givenHash))
  await client.query(
    match
      ? 'delete from auth.one_time_tokens where id = any ($1)'
      : 'update auth.mailed_codes set wrong_guesses = wrong_guesses + 1 where token_id = any ($1)',
    [match ? [match.id] : codes.map(({ id }) => id)],
  )
  return match ? mailedCode.parse(match) : null
}

/** Locks accounts before their codes, in the same order as a password change; the other order can deadlock. */
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
 * Revokes an account's unused links, codes, PKCE flows and pending address change: an intruder may have requested them before the
 * change. `exceptFlow` keeps the flow that the caller is finishing.
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
