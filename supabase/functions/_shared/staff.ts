import { selectRows } from '@saltfreak/backend'
import type { FunctionContext } from './function-context.ts'
import { z } from 'zod'
import { FunctionError } from './function-error.ts'

type CallerContext = Pick<FunctionContext, 'caller' | 'database'>

/** Whether the caller is an admin or packer, or has the secret key. */
function isStaff(context: CallerContext): Promise<boolean> {
  return hasRole(context, ['admin', 'packer'])
}

export function isAdmin(context: CallerContext): Promise<boolean> {
  return hasRole(context, ['admin'])
}

export async function requireAdmin(context: FunctionContext): Promise<void> {
  if (!(await isAdmin(context))) throw new FunctionError(403, 'not_admin', 'Only an admin may do this.')
}

export async function requireStaff(context: FunctionContext): Promise<void> {
  if (!(await isStaff(context))) throw new FunctionError(403, 'not_staff', 'Only staff may do this.')
}

const roleRow = z.object({ has_role: z.boolean().nullable() })

async function hasRole({ caller, database }: CallerContext, roles: string[]): Promise<boolean> {
  if (caller.role === 'service_role') return true
  const [answer] = await selectRows(database.owner, roleRow, [
    'select private.has_role($1, $2)',
    caller.claims,
    roles,
  ])
  return answer?.has_role ?? false
}
