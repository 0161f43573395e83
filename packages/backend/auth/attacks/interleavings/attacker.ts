import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import type { AttackResponse, Tokens } from '../attacked-accounts.ts'
import {
  CHALLENGE,
  type AccountStep,
  type ContestedAccount,
  enrol,
  storeTokens,
  latestTokens,
  mailedTo,
  showFactor,
  VERIFIER,
  newPassword,
  recentSession,
  refresh,
  renewPassword,
} from './contested-account.ts'

const sessionOf = ({ attacker }: ContestedAccount, pick: number): Tokens => recentSession(attacker, 4, pick)

/** Fails the test when the response holds a session of the account. */
function requireNoSession(account: ContestedAccount, { body, location }: AttackResponse, path: string): void {
  const got = body.user?.id === account.id || /[#&?](access_token|code)=/.test(location ?? '')
  if (got && (body.access_token || location)) throw new Error(`${path} let the attacker in`)
}

async function signUp(account: ContestedAccount): Promise<unknown> {
  const body = { email: account.email, password: newPassword() }
  const answer = await account.accounts.call('POST', '/signup', { body })
  requireNoSession(account, answer, '/signup')
  return answer
}

async function signIn(account: ContestedAccount, pick: number): Promise<unknown> {
  const { passwords } = account.attacker
  const password = passwords[passwords.length - 1 - (pick % Math.max(1, passwords.length))]
  if (!password) return
  return storeTokens(account.attacker, await account.accounts.signIn(account.email, password))
}

/** Learns the account's current password, for example by phishing. */
async function learnPassword({ owner, attacker }: ContestedAccount): Promise<void> {
  const password = owner.passwords.at(-1)
  if (password) attacker.passwords.push(password)
}

async function recover(account: ContestedAccount, pick: number): Promise<unknown> {
  const challenge = pick % 2 === 0 ? {} : CHALLENGE
  return account.accounts.call('POST', '/recover', {
    body: { email: account.email, ...challenge },
  })
}

const TYPES = ['recovery', 'magiclink', 'email', 'signup', 'invite', 'email_change']

async function guessCode(account: ContestedAccount, pick: number): Promise<unknown> {
  const email = account.email
  const sent = new Set(mailedTo(account, account.owner).map(({ code }) => code))
  // A guess that happens to be right is luck, not a vulnerability.
  let guess = pick % 1_000_000
  while (sent.has(String(guess).padStart(6, '0'))) guess += 1
  const body = { type: TYPES[pick % TYPES.length], email, token: String(guess).padStart(6, '0') }
  requireNoSession(account, await account.accounts.call('POST', '/verify', { body }), 'a guessed code')
  return undefined
}

/** Any link that was ever mailed to the attacker, under any type. */
async function followLink(account: ContestedAccount, pick: number): Promise<unknown> {
  const mails = mailedTo(account, account.attacker).slice(0, 6)
  const mail = mails[pick % Math.max(1, mails.length)]
  if (!mail) return
  const type = pick % 3 === 0 ? TYPES[pick % TYPES.length] : 'email_change'
  const answer =
    pick % 2 === 0
      ? await account.accounts.call('POST', '/verify', { body: { type, token_hash: mail.secret } })
      : await account.accounts.call('GET', `/verify?type=${type}&token=${mail.secret}`)
  requireNoSession(account, answer, 'a link mailed to the attacker')
  return answer
}

async function typeMailedCode(account: ContestedAccount, pick: number): Promise<unknown> {
  const [mail] = mailedTo(account, account.attacker)
  if (!mail) return
  const email = pick % 2 === 0 ? mail.to : account.email
  const answer = await account.accounts.call('POST', '/verify', {
    body: { type: 'email_change', email, token: mail.code },
  })
  requireNoSession(account, answer, 'a code mailed to the attacker')
  return answer
}

const flowRow = z.object({ code: z.string() })

async function exchangeCode(account: ContestedAccount): Promise<unknown> {
  const [flow] = await selectRows(account.accounts.database.owner, flowRow, [
    'select coalesce(auth_code, id::text) as code from auth.flow_state where user_id = $1 limit 1',
    account.id,
  ])
  // The attacker may even know the flow's row in the database; only the owner's browser has the code.
  const body = { auth_code: flow?.code ?? 'none', code_verifier: VERIFIER }
  const answer = await account.accounts.call('POST', '/token?grant_type=pkce', { body })
  requireNoSession(account, answer, 'a code exchange')
  return answer
}

const moveAddress: AccountStep = (account, pick) =>
  account.accounts.call('PUT', '/user', {
    bearer: sessionOf(account, pick).access,
    body: { email: account.attacker.mailboxes[0] },
  })

const writeMetadata: AccountStep = (account, pick) =>
  account.accounts.call('PUT', '/user', {
    bearer: sessionOf(account, pick).access,
    body: { data: { full_name: `Thief ${pick}` } },
  })

async function resend(account: ContestedAccount, pick: number): Promise<unknown> {
  const bearer = pick % 2 === 0 ? undefined : sessionOf(account, pick).access
  const type = pick % 3 === 0 ? 'signup' : 'email_change'
  const email = pick % 5 === 0 ? account.attacker.mailboxes[0] : account.email
  return account.accounts.call('POST', '/resend', { bearer, body: { type, email } })
}

const enrolFactor: AccountStep = (account, pick) => enrol(account, account.attacker, sessionOf(account, pick))

/**
 * Verifies a factor of the attacker, once the owner has one. Before that, only the password protects the account,
 * and no rule can tell the two people apart.
 */
async function verifyOwnFactor(account: ContestedAccount, pick: number): Promise<unknown> {
  const { factors } = account.attacker
  const factor = factors[factors.length - 1 - (pick % Math.max(1, factors.length))]
  if (!factor || !account.isProtected) return
  return storeTokens(account.attacker, await showFactor(account, sessionOf(account, pick), factor))
}

async function guessFactor(account: ContestedAccount, pick: number): Promise<unknown> {
  const factor = account.owner.factors.at(-1)
  if (!factor || !account.isProtected) return
  const guessed = { ...factor, secret: 'AAAAAAAAAAAAAAAA' }
  return storeTokens(account.attacker, await showFactor(account, sessionOf(account, pick), guessed))
}

const removeFactor: AccountStep = async (account, pick) => {
  const factor = [...account.owner.factors, ...account.attacker.factors].at(-1 - (pick % 2))
  if (!factor || !account.isProtected) return
  return account.accounts.call('DELETE', `/factors/${factor.id}`, { bearer: sessionOf(account, pick).access })
}

const createRecoveryCodes: AccountStep = async (account, pick) => {
  const { access: bearer } = sessionOf(account, pick)
  const { body } = await account.accounts.call('POST', '/factors/recovery-codes', { bearer })
  if (body.codes) throw new Error('the attacker has recovery codes')
}

const guessRecoveryCode: AccountStep = async (account, pick) =>
  storeTokens(
    account.attacker,
    await account.accounts.call('POST', '/factors/recovery-codes/verify', {
      bearer: sessionOf(account, pick).access,
      body: { code: `abcd-efgh-jkmn-${pick}` },
    }),
  )

const reauthenticate: AccountStep = (account, pick) =>
  account.accounts.call('GET', '/reauthenticate', { bearer: sessionOf(account, pick).access })

async function endOwnerSession(account: ContestedAccount, pick: number): Promise<unknown> {
  const { access: bearer } = sessionOf(account, pick)
  const { body } = await account.accounts.call('GET', '/sessions', { bearer })
  const session = Array.isArray(body) ? body[pick % body.length] : undefined
  return account.accounts.call('DELETE', `/sessions/${session?.id ?? crypto.randomUUID()}`, { bearer })
}

const signOut: AccountStep = (account, pick) => {
  const scope = ['others', 'global', 'local'][pick % 3]
  return account.accounts.call('POST', `/logout?scope=${scope}`, { bearer: sessionOf(account, pick).access })
}

export const attackerSteps: Record<string, AccountStep> = {
  signUp,
  signIn,
  learnPassword,
  recover,
  guessCode,
  followLink,
  typeMailedCode,
  exchangeCode,
  renewPassword: (account, pick) => renewPassword(account, account.attacker, sessionOf(account, pick)),
  moveAddress,
  writeMetadata,
  resend,
  enrolFactor,
  verifyOwnFactor,
  guessFactor,
  removeFactor,
  createRecoveryCodes,
  guessRecoveryCode,
  reauthenticate,
  endOwnerSession,
  signOut,
  refresh: (account, pick) => refresh(account, account.attacker, sessionOf(account, pick)),
}

/** Tries everything that the attacker holds once more. Returns the names of the credentials that still work. */
export async function tryAll(account: ContestedAccount): Promise<string[]> {
  const { attacker, accounts } = account
  const works: string[] = []
  for (const password of new Set(attacker.passwords)) {
    if ((await accounts.signIn(account.email, password)).status === 200) works.push(`password ${password}`)
  }
  for (const { access, refresh: token } of latestTokens(attacker)) {
    if ((await accounts.call('GET', '/user', { bearer: access })).status === 200) works.push('a session')
    const body = { refresh_token: token }
    const { status } = await accounts.call('POST', '/token?grant_type=refresh_token', { body })
    if (status === 200) works.push('a refresh token')
  }
  for (const { secret } of mailedTo(account, attacker)) {
    const body = { type: 'email_change', token_hash: secret }
    const { status } = await accounts.call('POST', '/verify', { body })
    if (status === 200) works.push('a link')
  }
  return works
}
