import { asText, selectValues } from '#backend/database/select-rows.ts'
import type { Tokens } from '../attacked-accounts.ts'
import {
  type AccountStep,
  type ContestedAccount,
  enrol,
  storeTokens,
  mailedTo,
  showFactor,
  recentSession,
  refresh,
  renewPassword,
} from './contested-account.ts'

const sessionOf = ({ owner }: ContestedAccount, pick: number): Tokens => recentSession(owner, 3, pick)

async function signIn(account: ContestedAccount): Promise<unknown> {
  const password = account.owner.passwords.at(-1)
  if (!password) return
  return storeTokens(account.owner, await account.accounts.signIn(account.email, password))
}

/** Asks for a recovery mail and follows its link, or types its code. */
async function recover(account: ContestedAccount, pick: number): Promise<unknown> {
  const email = account.email
  await account.accounts.call('POST', '/recover', { body: { email } })
  const [mail] = mailedTo(account, account.owner)
  const body =
    pick % 2 === 0
      ? { type: 'recovery', token_hash: mail?.secret }
      : { type: 'recovery', email, token: mail?.code }
  return storeTokens(account.owner, await account.accounts.call('POST', '/verify', { body }))
}

async function stepUp(account: ContestedAccount, pick: number): Promise<unknown> {
  const factor = account.owner.factors.at(-1)
  if (!factor || !account.isProtected) return
  return storeTokens(account.owner, await showFactor(account, sessionOf(account, pick), factor))
}

/** Moves to the owner's other mailbox, confirmed from both mailboxes or, with an odd pick, from neither. */
async function moveAddress(account: ContestedAccount, pick: number): Promise<unknown> {
  const from = account.email
  const email = account.owner.mailboxes.find((mailbox) => mailbox !== from)
  const { access: bearer } = sessionOf(account, pick)
  const { status } = await account.accounts.call('PUT', '/user', { bearer, body: { email } })
  if (status !== 200 || pick % 2 === 1) return
  for (const mail of mailedTo(account, account.owner).slice(0, 2)) {
    const body = { type: 'email_change', token_hash: mail.secret }
    storeTokens(account.owner, await account.accounts.call('POST', '/verify', { body }))
  }
}

/** Adds a factor, or shows the code of one that the attacker cannot have. */
async function addFactor(account: ContestedAccount, pick: number): Promise<unknown> {
  const session = sessionOf(account, pick)
  const factor = await enrol(account, account.owner, session)
  return factor && storeTokens(account.owner, await showFactor(account, session, factor))
}

async function removeFactor(account: ContestedAccount, pick: number): Promise<unknown> {
  const { access: bearer } = sessionOf(account, pick)
  const factor = account.owner.factors.at(-1)
  return factor && account.accounts.call('DELETE', `/factors/${factor.id}`, { bearer })
}

async function createRecoveryCodes(account: ContestedAccount, pick: number): Promise<unknown> {
  const { access: bearer } = sessionOf(account, pick)
  const { body } = await account.accounts.call('POST', '/factors/recovery-codes', { bearer })
  if (body.codes) account.owner.recoveryCodes = body.codes
  return body
}

async function useRecoveryCode(account: ContestedAccount, pick: number): Promise<unknown> {
  const { access: bearer } = sessionOf(account, pick)
  const code = account.owner.recoveryCodes.pop()
  if (!code) return
  const answer = await account.accounts.call('POST', '/factors/recovery-codes/verify', {
    bearer,
    body: { code },
  })
  return storeTokens(account.owner, answer)
}

const signOut: AccountStep = (account, pick) => {
  const scope = ['local', 'others', 'global'][pick % 3]
  const { access: bearer } = sessionOf(account, pick)
  return account.accounts.call('POST', `/logout?scope=${scope}`, { bearer })
}

export const ownerSteps: Record<string, AccountStep> = {
  signIn,
  recover,
  stepUp,
  renewPassword: (account, pick) => renewPassword(account, account.owner, sessionOf(account, pick)),
  moveAddress,
  addFactor,
  removeFactor,
  createRecoveryCodes,
  useRecoveryCode,
  refresh: (account, pick) => refresh(account, account.owner, sessionOf(account, pick)),
  signOut,
}

/** Recovers the account with mailbox and factor. Returns a session with the account's required assurance level. */
export async function recoverAccess(account: ContestedAccount): Promise<Tokens | undefined> {
  const { owner } = account
  await recover(account, 0)
  const newest = owner.sessions.length - 1
  // The link that verifies the mailbox for the first time removes what an unverified sign-up had set up.
  const verified = await selectValues(account.accounts.database.owner, asText, [
    `select id from auth.mfa_factors where user_id = $1 and status = 'verified'`,
    account.id,
  ])
  const factor = owner.factors.find(({ id }) => verified.includes(id))
  const signedIn = owner.sessions[newest]
  if (factor && signedIn) storeTokens(owner, await showFactor(account, signedIn, factor))
  const session = owner.sessions.at(-1)
  return session && (await renewPassword(account, owner, session)) ? session : undefined
}
