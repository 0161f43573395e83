import type { ShopClient } from '#database'

/** PostgREST's code for a single row that is not there. `maybeSingle()` reads a list and never gets it; an older server might send it. */
const NO_ROW = 'PGRST116'

/**
 * Decides only what is shown; the database checks every statement itself. Asks with `maybeSingle()`, because `single()` gets a
 * 406 for each customer, which the browser prints in the console as an error.
 */
export async function isAdmin(client: ShopClient, userId: string): Promise<boolean> {
  const { data, error } = await client
    .from('user_roles')
    .select('role')
    .eq('user_id', userId)
    .eq('role', 'admin')
    .maybeSingle()
  if (!error) return data !== null
  if (error.code !== NO_ROW) console.error('admin check failed', error)
  return false
}
