import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/session/query-backend.ts'
import type { Tables } from '#database'
import { callFunction } from '../list/call-function.ts'
import { saveUnlessChanged } from '../list/save-unless-changed.ts'
import { useChange } from '../list/use-change.ts'

/** A figure that is null is the one of shop.config.ts; `requires_second_factor` then follows `useSecondFactorRule`. */
export type ShopSettings = Tables<'shop_settings'>

export type SettingsChange = Partial<Omit<ShopSettings, 'id' | 'updated_at'>>

export function useShopSettings() {
  return useQuery({
    queryKey: ['shop-settings'],
    queryFn: () => queryBackend((backend) => backend.from('shop_settings').select('*').single()),
  })
}

/** What holds now, from the setting or from its default. */
export function useSecondFactorRule() {
  return useQuery({
    queryKey: ['shop-settings', 'second-factor'],
    queryFn: () => queryBackend((backend) => backend.rpc('second_factor_rule')),
  })
}

export function useChangeSettings() {
  return useChange({
    change: ({ seen, values }: { seen: ShopSettings; values: SettingsChange }) =>
      saveUnlessChanged({ table: 'shop_settings', seen, values }),
    done: 'Settings saved',
    refreshes: ['shop-settings', 'first-steps'],
    undoes: () => ({ table: 'shop_settings', id: 'shop' }),
  })
}

/** What the process was started with; the server names no secret. */
export interface PublicSettings {
  publicUrl: string
  payfast: { mode: 'simulator' | 'sandbox' | 'live'; merchantId: string; hasPassphrase: boolean }
  mail: {
    server: string | null
    isEncrypted: boolean
    hasMailbox: boolean
    from: string
    shopEmail: string
  }
  database: string
  confirmsSignUps: boolean
  trustedProxies: number
}

export function usePublicSettings() {
  return useQuery({
    queryKey: ['started-with'],
    queryFn: () => callFunction<PublicSettings>('show-settings'),
  })
}

export interface AccountCheck {
  asked: string
  isFine: boolean
  answer: string
}

export function useTestPayfast() {
  return useChange({
    change: () => callFunction<{ checks: AccountCheck[] }>('test-payfast'),
    done: 'PayFast test finished',
    refreshes: [],
  })
}

export function useTestMail() {
  return useChange({
    change: () => callFunction<{ to: string; by: 'server' | 'mailbox' }>('send-test-mail'),
    done: 'Test mail sent',
    refreshes: ['first-steps'],
  })
}
