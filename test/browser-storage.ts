import { vi } from 'vitest'

/** Defines empty `localStorage` and `sessionStorage`, which Node lacks. */
export function installStorage(): void {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, emptyStorage())
}

function emptyStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
