import { useQuery } from '@tanstack/react-query'
import { callFunction } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { useSave } from '../form/use-edit.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export { useStaff } from './staff.ts'

/** A null falls back to shop.config.ts, for `requires_second_factor` to the default in `useSecondFactorRule`. */
export type ShopSettings = Tables<'shop_settings'>

type SettingsChange = Partial<Omit<ShopSettings, 'id' | 'updated_at'>>

export function useShopSettings() {
  return useBackendQuery(['shop-settings'], (backend) => backend.from('shop_settings').select('*').single())
}

/** The second-factor rule in effect, from the setting or its default. */
export function useSecondFactorRule() {
  return useBackendQuery(['shop-settings', 'second-factor'], (backend) => backend.rpc('second_factor_rule'))
}

export const useChangeSettings = () =>
  useSave<SettingsChange>('shop_settings', {
    success: 'Settings saved',
    invalidates: ['shop-settings', 'first-steps'],
  })

export function usePublicSettings() {
  return useQuery({
    queryKey: ['public-settings'],
    queryFn: () => callFunction('show-settings'),
  })
}

/** Runs one of the tests that the server makes. */
export const useTest = <Name extends 'test-payfast' | 'send-test-mail'>(name: Name, success: string) =>
  useToastMutation({ mutationFn: () => callFunction(name), success, invalidates: [] })
