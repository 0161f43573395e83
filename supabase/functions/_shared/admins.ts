import type { Given } from './given.ts'
import { Refusal } from './refusal.ts'

export async function isAdmin({ caller, database }: Pick<Given, 'caller' | 'database'>): Promise<boolean> {
  if (caller.role === 'service_role') return true
  const { rowCount } = await database.owner.query(
    `select from public.user_roles where user_id = $1 and role = 'admin'`,
    [caller.userId],
  )
  return rowCount === 1
}

export async function requireAdmin(given: Given): Promise<void> {
  if (!(await isAdmin(given))) throw new Refusal(403, 'not_admin', 'Only an admin may do this.')
}
