import type { SupabaseClient } from '@supabase/supabase-js'
import type { TestShop } from './shop.ts'

/** The client of a former admin whose token is still valid. */
export async function revokedAdmin(shop: TestShop): Promise<SupabaseClient> {
  const former = await shop.admin()
  await shop.database.owner.query(`delete from public.user_roles where user_id = $1 and role = 'admin'`, [
    former.userId,
  ])
  return former.client
}
