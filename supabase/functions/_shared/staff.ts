import type { Given } from './given.ts'
import { Refusal } from './refusal.ts'

type Asked = Pick<Given, 'caller' | 'database'>

/** An admin or a packer; the secret key is the shop itself. */
export function isStaff(given: Asked): Promise<boolean> {
  return holdsRole(given, ['admin', 'packer'])
}

export function isAdmin(given: Asked): Promise<boolean> {
  return holdsRole(given, ['admin'])
}

export async function requireAdmin(given: Given): Promise<void> {
  if (!(await isAdmin(given))) throw new Refusal(403, 'not_admin', 'Only an admin may do this.')
}

export async function requireStaff(given: Given): Promise<void> {
  if (!(await isStaff(given))) throw new Refusal(403, 'not_staff', 'Only who works in the shop may do this.')
}

async function holdsRole({ caller, database }: Asked, roles: string[]): Promise<boolean> {
  if (caller.role === 'service_role') return true
  const { rows } = await database.owner.query<{ has_role: boolean }>('select private.has_role($1, $2)', [
    caller.claims,
    roles,
  ])
  return rows[0]?.has_role ?? false
}
