type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/* oxlint-disable no-restricted-globals -- the only place that may touch storage: everything else goes through these two */
/** Returns localStorage, or an in-memory store where the browser blocks it. */
export const localStore = withFallback(() => localStorage)
/** Returns sessionStorage, or an in-memory store where the browser blocks it. */
export const tabStore = withFallback(() => sessionStorage)
/* oxlint-enable no-restricted-globals */

/** Even reading `localStorage` throws when storage is blocked. */
function withFallback(storage: () => Store): () => Store {
  const values = new Map<string, string>()
  const inMemory: Store = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
  return () => {
    try {
      // In-app browsers may have no storage at all.
      return storage() ?? inMemory
    } catch {
      return inMemory
    }
  }
}

/** Returns the stored JSON value, which users can edit; `null` for a missing or malformed one. */
export function readStoredJson(store: Store, key: string): unknown {
  try {
    return JSON.parse(store.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Stores a value that the page can do without: a full storage is ignored. */
export function writeStoredJson(store: Store, key: string, value: unknown): void {
  try {
    store.setItem(key, JSON.stringify(value))
  } catch {
    // The page works, but a reload loses the value.
  }
}
