import type { ShopClient } from '#database'

/** PostgREST's code for a missing single row. `maybeSingle()` reads a list and never gets it; an older server might send it. */
const NO_ROW = 'PGRST116'

/**
 * Only decides what the pages show; the database checks every statement itself. Uses `maybeSingle()`, because `single()` gets a
 * 406 for each customer, which the browser logs as an error.
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
