import { createHash } from 'node:crypto'

import { totpCode } from '#backend/auth/factors/totp.ts'
import {
  type AttackResponse,
  type AttackedAccounts,
  PASSWORD,
  secretIn,
  type Tokens,
  tokensIn,
} from '../attacked-accounts.ts'

export interface Factor {
  id: string
  secret: string
}

/** The credentials of one of the two people. Invalid ones stay in the lists, because steps try them again. */
export interface Contestant {
  /** Mailboxes that this person can read. The account's address is always a mailbox of the owner. */
  mailboxes: string[]
  sessions: Tokens[]
  passwords: string[]
  factors: Factor[]
  recoveryCodes: string[]
}

export interface ContestedAccount {
  accounts: AttackedAccounts
  id: string
  owner: Contestant
  attacker: Contestant
  /** The account's address and whether it has a verified factor, read before each step. */
  email: string
  isProtected: boolean
}

/** `pick` is a random number that selects among sessions, codes, links and the like. */
export type AccountStep = (account: ContestedAccount, pick: number) => Promise<unknown>

export const VERIFIER = 'a'.repeat(43)
export const CHALLENGE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 's256',
}

let people = 0

export interface Start {
  /** The attacker knows the password that the account begins with. */
  knowsPassword: boolean
  /** The attacker has signed in before the owner did anything. */
  hasSession: boolean
  /** The attacker has begun to set up a factor in that session. */
  hasPlantedFactor: boolean
  /** The owner has verified a factor. */
  hasFactor: boolean
  /** The attacker has created the account with the owner's address; then the other fields have no effect. */
  isRegisteredByAttacker: boolean
}

/** An account whose owner has one session, or none when the attacker created it. */
export async function openContestedAccount(
  accounts: AttackedAccounts,
  start: Start,
): Promise<ContestedAccount> {
  people += 1
  const attacker = person([`attacker${people}@example.com`])
  const mailboxes = [`owner${people}@example.com`, `owner${people}.second@example.com`]
  const [email = ''] = mailboxes
  const { body } = await accounts.call('POST', '/signup', { body: { email, password: PASSWORD } })
  const owner = person(mailboxes)
  const account = { accounts, id: body.user.id, owner, attacker, email, isProtected: false }
  const maker = start.isRegisteredByAttacker ? attacker : owner
  maker.sessions.push(tokensIn(body))
  maker.passwords.push(PASSWORD)
  if (maker === owner) await prepare(account, start)
  return account
}

async function prepare(
  account: ContestedAccount,
  { knowsPassword, hasSession, hasPlantedFactor, hasFactor }: Start,
): Promise<void> {
  const { accounts, owner, attacker } = account
  if (knowsPassword) attacker.passwords.push(PASSWORD)
  if (hasSession) storeTokens(attacker, await accounts.signIn(owner.mailboxes[0] ?? ''))
  const [session] = attacker.sessions
  if (hasPlantedFactor && session) await enrol(account, attacker, session)
  if (hasFactor) await verifyFirstFactor(account, owner)
}

function person(mailboxes: string[]): Contestant {
  return { mailboxes, passwords: [], sessions: [], factors: [], recoveryCodes: [] }
}

const NONE: Tokens = { access: '', refresh: '' }
/** One of the newest few sessions, because old ones have mostly ended. */
export function recentSession({ sessions }: Contestant, newest: number, pick: number): Tokens {
  const recent = sessions.slice(-newest)
  return recent[pick % recent.length] ?? NONE
}

export function storeTokens(who: Contestant, { body }: AttackResponse): boolean {
  if (!body.access_token) return false
  who.sessions.push(tokensIn(body))
  return true
}

export function sessionIds({ sessions }: Contestant): string[] {
  return [...new Set(sessions.map(sessionIdOf))]
}

const idsOfSessions = new WeakMap<Tokens, string>()

function sessionIdOf(tokens: Tokens): string {
  const known = idsOfSessions.get(tokens)
  if (known) return known
  const claims = JSON.parse(Buffer.from(tokens.access.split('.')[1] ?? '', 'base64url').toString())
  idsOfSessions.set(tokens, claims.session_id)
  return claims.session_id
}

/** The latest tokens of each session. */
export function latestTokens({ sessions }: Contestant): Tokens[] {
  return [...new Map(sessions.map((tokens) => [sessionIdOf(tokens), tokens])).values()]
}

export async function enrol(
  { accounts }: ContestedAccount,
  who: Contestant,
  session: Tokens,
): Promise<Factor | null> {
  const { body } = await accounts.call('POST', '/factors', {
    bearer: session.access,
    body: { factor_type: 'totp', friendly_name: crypto.randomUUID() },
  })
  if (!body.totp) return null
  const factor = { id: body.id, secret: body.totp.secret }
  who.factors.push(factor)
  return factor
}

let passwords = 0
export function newPassword(): string {
  passwords += 1
  return `fresh-water-${passwords}`
}

/** Gives the account a new password. Returns whether it has it. */
export async function renewPassword(
  { accounts }: ContestedAccount,
  who: Contestant,
  { access: bearer }: Tokens,
): Promise<boolean> {
  const password = newPassword()
  const { status } = await accounts.call('PUT', '/user', { bearer, body: { password } })
  if (status === 200) who.passwords.push(password)
  return status === 200
}

export async function refresh(
  { accounts }: ContestedAccount,
  who: Contestant,
  { refresh: token }: Tokens,
): Promise<boolean> {
  const body = { refresh_token: token }
  return storeTokens(who, await accounts.call('POST', '/token?grant_type=refresh_token', { body }))
}

/** Challenges and verifies. Clears the used code first, as if half a minute had passed. */
export async function showFactor(
  { accounts }: ContestedAccount,
  session: Tokens,
  factor: Factor,
): Promise<AttackResponse> {
  await accounts.database.owner.query('delete from auth.totp_uses where factor_id = $1', [factor.id])
  const path = `/factors/${factor.id}`
  const challenge = await accounts.call('POST', `${path}/challenge`, { bearer: session.access, body: {} })
  return accounts.call('POST', `${path}/verify`, {
    bearer: session.access,
    body: { challenge_id: challenge.body.id ?? crypto.randomUUID(), code: totpCode(factor.secret) },
  })
}

async function verifyFirstFactor(account: ContestedAccount, who: Contestant): Promise<void> {
  const session = who.sessions.at(-1)
  const factor = session && (await enrol(account, who, session))
  if (factor) storeTokens(who, await showFactor(account, session, factor))
}

/** Secrets of the links that were mailed to one person, newest first. */
export function mailedTo({ accounts }: ContestedAccount, who: Contestant) {
  return accounts.mails
    .filter(({ to, link }) => link !== null && who.mailboxes.includes(to))
    .map((mail) => ({ secret: secretIn(mail), code: mail.code, kind: mail.kind, to: mail.to }))
    .toReversed()
}
