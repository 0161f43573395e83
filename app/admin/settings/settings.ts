import { useQuery } from '@tanstack/react-query'
import { callFunction } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { saveUnlessChanged } from '../form/save-unless-changed.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export { useStaff } from './staff.ts'

/** A null falls back to shop.config.ts, for `requires_second_factor` to the default in `useSecondFactorRule`. */
export type ShopSettings = Tables<'shop_settings'>

export type SettingsChange = Partial<Omit<ShopSettings, 'id' | 'updated_at'>>

export function useShopSettings() {
  return useBackendQuery(['shop-settings'], (backend) => backend.from('shop_settings').select('*').single())
}

/** The second-factor rule in effect, from the setting or its default. */
export function useSecondFactorRule() {
  return useBackendQuery(['shop-settings', 'second-factor'], (backend) => backend.rpc('second_factor_rule'))
}

export function useChangeSettings() {
  return useToastMutation({
    mutationFn: ({ seen, values }: { seen: ShopSettings; values: SettingsChange }) =>
      saveUnlessChanged({ table: 'shop_settings', seen, values }),
    success: 'Settings saved',
    invalidates: ['shop-settings', 'first-steps'],
    undoes: () => ({ table: 'shop_settings', id: 'shop' }),
  })
}

export function usePublicSettings() {
  return useQuery({
    queryKey: ['public-settings'],
    queryFn: () => callFunction('show-settings'),
  })
}

export function useTestPayfast() {
  return useToastMutation({
    mutationFn: () => callFunction('test-payfast'),
    success: 'PayFast test finished',
    invalidates: [],
  })
}

export function useTestMail() {
  return useToastMutation({
    mutationFn: () => callFunction('send-test-mail'),
    success: 'Test e-mail sent',
    invalidates: [],
  })
}
