import { useSyncExternalStore } from 'react'
import { localStore } from '#app/ui/browser-store.ts'

type Theme = 'light' | 'dark'

const KEY = 'admin_theme'
const CHANGED = 'admin-theme-changed'

/** Returns the theme chosen on this device, otherwise the device's preference. */
export function useTheme(): { theme: Theme; toggleTheme: () => void } {
  const theme = useSyncExternalStore(subscribe, currentTheme, () => 'light' as const)

  const toggleTheme = () => {
    localStore().setItem(KEY, theme === 'dark' ? 'light' : 'dark')
    dispatchEvent(new Event(CHANGED))
  }
  return { theme, toggleTheme }
}

function currentTheme(): Theme {
  const chosen = localStore().getItem(KEY)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return prefersDark().matches ? 'dark' : 'light'
}

function subscribe(onChange: () => void): () => void {
  const preference = prefersDark()
  addEventListener(CHANGED, onChange)
  addEventListener('storage', onChange)
  preference.addEventListener('change', onChange)
  return () => {
    removeEventListener(CHANGED, onChange)
    removeEventListener('storage', onChange)
    preference.removeEventListener('change', onChange)
  }
}

function prefersDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}
