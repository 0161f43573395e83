import type { Context } from 'hono'

import { inTransaction } from '#backend/database/transaction.ts'
import { requireMailAllowed, sendCode } from '../codes/send-code.ts'
import { siteUrl } from '../codes/redirects.ts'
import { AuthError, invalidInput } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { requireSession } from '../sessions/require-session.ts'

/** GET /reauthenticate: mails a code for a password change. */
export async function reauthenticate(auth: AuthContext, c: Context): Promise<Response> {
  const { user } = await requireSession(auth, c)
  const { email } = user
  if (!email) throw invalidInput('Reauthentication requires the user to have an email or a phone number')
  if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed', 'Please verify your email first.')

  await requireMailAllowed(auth, 'reauthentication', email)
  await inTransaction(auth.database.owner, (client) =>
    sendCode(auth, client, {
      kind: 'reauthentication',
      userId: user.id,
      to: email,
      redirectTo: siteUrl(auth),
    }),
  )
  return c.json({})
}
