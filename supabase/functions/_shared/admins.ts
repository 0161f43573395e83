import type { Given } from './given.ts'
import { Refusal } from './refusal.ts'

export async function isAdmin({ caller, database }: Pick<Given, 'caller' | 'database'>): Promise<boolean> {
  if (caller.role === 'service_role') return true
  const { rows } = await database.owner.query<{ is_staff: boolean }>('select private.is_staff($1, $2)', [
    caller.userId,
    caller.claims.aal,
  ])
  return rows[0]?.is_staff ?? false
}

export async function requireAdmin(given: Given): Promise<void> {
  if (!(await isAdmin(given))) throw new Refusal(403, 'not_admin', 'Only an admin may do this.')
}
