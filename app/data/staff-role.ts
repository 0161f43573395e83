import type { BrowserClient } from '#database'

/** The database decides what each role may do (decision 0021); the pages only hide what it would refuse. */
export type Role = 'admin' | 'packer'

/** PostgREST's code for a missing single row. */
const NO_ROW = 'PGRST116'

/** Returns `null` for customers. Throws when the database does not answer: the role is then unknown. */
export async function fetchStaffRole(client: BrowserClient, userId: string): Promise<Role | null> {
  const { data, error } = await client.from('user_roles').select('role').eq('user_id', userId)
  // A list never gets this code; an older server might send it.
  if (error && error.code !== NO_ROW) throw error
  const roles = new Set(data?.map(({ role }) => role))
  if (roles.has('admin')) return 'admin'
  return roles.has('packer') ? 'packer' : null
}
