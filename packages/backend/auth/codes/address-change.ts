import type { PoolClient } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import type { AuthContext } from '../auth-context.ts'
import { changeAddress } from '../users/insert-user.ts'
import { findUserByEmail, loadUser, type UserRow } from '../users/user-row.ts'
import type { Challenge } from './flow-state.ts'
import { cancelPending, type MailedCode } from './one-time-codes.ts'
import { requireMailAllowed, consumeMailLimit, sendCode } from './send-code.ts'

/** Consumes the limits per mailbox and account, because each change mails an address of the caller's choice. Throws 429. */
export async function requireChangeAllowed(
  auth: AuthContext,
  userId: string,
  newEmail: string,
): Promise<void> {
  await requireMailAllowed(auth, 'email_change_new', newEmail)
  await consumeMailLimit(auth, {
    bucket: 'address change',
    subject: userId,
    limit: auth.settings.limits.addressChangesPerAccount,
  })
}

/** Stores the new address as pending. Another pending address loses its links and confirmations. */
export async function beginAddressChange(
  client: PoolClient,
  userId: string,
  newEmail: string,
): Promise<void> {
  const { rowCount } = await client.query(
    `update auth.users set email_change = $2, email_change_confirm_status = 0, updated_at = now()
     where id = $1 and email_change is distinct from $2`,
    [userId, newEmail],
  )
  if (rowCount === 0) return
  await client.query(
    `delete from auth.one_time_tokens where user_id = $1 and token_type like 'email_change_token_%'`,
    [userId],
  )
  await client.query('delete from auth.email_change_confirmations where user_id = $1', [userId])
}

interface LinkOptions {
  redirectTo: string
  challenge: Challenge | null
}

/** Mails a link to each mailbox that has not confirmed yet. */
export async function mailAddressChange(
  auth: AuthContext,
  client: PoolClient,
  { user, ...linkOptions }: LinkOptions & { user: UserRow },
): Promise<void> {
  const { email_change: newEmail } = await loadUser(client, user.id)
  if (!newEmail) return
  const common = { userId: user.id, ...linkOptions }
  const missing = await missingConfirmations(auth, client, user)
  if (user.email && missing.includes('current')) {
    await sendCode(auth, client, { ...common, kind: 'email_change_current', to: user.email })
  }
  // Skip addresses that have an account, without revealing it in the response.
  if (missing.includes('new') && !(await findUserByEmail(client, newEmail))) {
    await sendCode(auth, client, { ...common, kind: 'email_change_new', to: newEmail })
  }
}

/** Records a mailbox's confirmation. Changes the address and returns true once all required mailboxes have confirmed. */
export async function confirmAddressChange(
  auth: AuthContext,
  client: PoolClient,
  code: MailedCode,
): Promise<boolean> {
  const user = await loadUser(client, code.userId)
  const side = code.type === 'email_change_token_new' ? 'new' : 'current'
  const mailbox = side === 'new' ? user.email_change : user.email
  // Ignore links of an earlier change that went to another mailbox.
  if (!user.email_change || mailbox?.toLowerCase() !== code.address) return false
  await client.query(
    `insert into auth.email_change_confirmations as known (user_id, new_email, ${side}_confirmed_at) values ($1, $2, now())
     on conflict (user_id) do update set ${side}_confirmed_at = now()`,
    [user.id, user.email_change],
  )
  if ((await missingConfirmations(auth, client, user)).length > 0) return false
  await applyAddressChange(client, user.id, code)
  return true
}

const confirmationRow = z.object({ current: z.boolean(), new: z.boolean() })

type Side = keyof z.infer<typeof confirmationRow>

async function missingConfirmations(auth: AuthContext, client: PoolClient, user: UserRow): Promise<Side[]> {
  const [confirmed] = await selectRows(client, confirmationRow, [
    `select current_confirmed_at is not null as current, new_confirmed_at is not null as new
     from auth.email_change_confirmations c join auth.users u on u.id = c.user_id
     where u.id = $1 and c.new_email = u.email_change`,
    user.id,
  ])
  // Without a current address only the new one has to confirm.
  const needed: Side[] =
    user.email && auth.settings.isEmailChangeConfirmedTwice ? ['current', 'new'] : ['new']
  return needed.filter((side) => !confirmed?.[side])
}

/** Makes the pending address the account's address and revokes all pending codes and links. */
export async function applyAddressChange(
  client: PoolClient,
  userId: string,
  { flowId }: { flowId?: string | null } = {},
): Promise<void> {
  const { email_change: newEmail } = await loadUser(client, userId)
  if (!newEmail) return
  await changeAddress(client, userId, newEmail)
  await cancelPending(client, userId, { exceptFlow: flowId })
}
