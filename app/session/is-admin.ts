import type { SupabaseClient } from '@supabase/supabase-js'

/** What PostgREST says when the single row that was asked for is not there. */
const NO_ROW = 'PGRST116'

/** Only decides what is shown: the database asks for itself at every statement. */
export async function isAdmin(client: SupabaseClient, userId: string): Promise<boolean> {
  const { error } = await client
    .from('user_roles')
    .select('role')
    .eq('user_id', userId)
    .eq('role', 'admin')
    .single()
  if (!error) return true
  if (error.code !== NO_ROW) console.error('admin check failed', error)
  return false
}
