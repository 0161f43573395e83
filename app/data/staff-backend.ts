import type { ShopClient, ShopDatabase } from '#database'
import { accessToken, backendHeaders } from './backend.ts'

let loading: Promise<ShopClient> | null = null

/** Loads the whole client, which adds realtime and storage, with the session of the other one. A failed download is tried again. */
export function loadStaffBackend(): Promise<ShopClient> {
  loading ??= import('@supabase/supabase-js').then(
    ({ createClient }) =>
      createClient<ShopDatabase>(location.origin, backendHeaders().apikey, { accessToken }),
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}
