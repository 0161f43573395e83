type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Returns localStorage, or an in-memory store where the browser blocks it. */
export const localStore = withFallback(() => localStorage)
/** Returns sessionStorage, or an in-memory store where the browser blocks it. */
export const tabStore = withFallback(() => sessionStorage)

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
