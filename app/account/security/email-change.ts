import { queryBackend } from '#app/data/query-backend.ts'
import { refreshToken } from '#app/data/refresh-token.ts'
import { mailRefusal } from '#app/sign-in/mail-limit.ts'

/** How long the mailed links work. */
const LINK_LIFETIME_MS = 60 * 60_000

/** Returns the new address of a change that the customer can still confirm, or null. Stores the account's address if it has changed. */
export async function loadPendingEmail(): Promise<string | null> {
  const { user } = await queryBackend(({ auth }) => auth.getUser())
  const { session } = await queryBackend(({ auth }) => auth.getSession())
  // A change that was confirmed on another device: the page would show the old address until the token expires.
  if (session && session.user.email !== user.email) await refreshToken()
  const sentAt = Date.parse(user.email_change_sent_at ?? '')
  return user.new_email && Date.now() < sentAt + LINK_LIFETIME_MS ? user.new_email : null
}

/** Returns an error message, or null; throws for other errors. Does not reveal whether another account has the address. */
export async function requestEmailChange(email: string, present: string | null): Promise<string | null> {
  // The server would accept it and mail no links.
  if (email.toLowerCase() === present?.toLowerCase()) return 'You already sign in with this e-mail.'
  const emailRedirectTo = `${location.origin}/auth/confirmed`
  return mailRefusal(queryBackend(({ auth }) => auth.updateUser({ email }, { emailRedirectTo })))
}
