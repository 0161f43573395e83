import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { parseBody } from '../request.ts'
import { requireUser } from './write-user.ts'

const schema = z.object({ should_soft_delete: z.boolean().default(false) })

/** DELETE /admin/users/:id. A soft deletion keeps the row for foreign keys, without personal data. */
export async function deleteUser(auth: AuthContext, c: Context): Promise<Response> {
  const { should_soft_delete: isSoft } = await parseBody(c, schema)
  const user = await requireUser(auth, c)
  await inTransaction(auth.database.owner, async (client) => {
    if (!isSoft) return client.query('delete from auth.users where id = $1', [user.id])
    for (const table of ['sessions', 'identities', 'mfa_factors', 'one_time_tokens']) {
      await client.query(`delete from auth.${table} where user_id = $1`, [user.id])
    }
    return client.query(
      `update auth.users set email = $2, phone = null, encrypted_password = null, email_change = '', phone_change = '',
         raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
       where id = $1`,
      [user.id, createHash('sha256').update(`${user.id}${user.email}`).digest('base64url')],
    )
  }).catch((cause: unknown) => {
    throw new AuthError('unexpected_failure', 'Database error deleting user', { cause })
  })
  return c.json({})
}
