type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What this browser keeps, in every tab. */
export const localStore = memoryIn(() => localStorage)
/** What it keeps for this tab. */
export const tabStore = memoryIn(() => sessionStorage)

/** A browser that keeps nothing refuses even to be asked; then the page remembers for as long as it is open. */
function memoryIn(browser: () => Memory): () => Memory {
  const kept = new Map<string, string>()
  const page: Memory = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
  return () => {
    try {
      // Some browsers inside apps have none at all.
      return browser() ?? page
    } catch {
      return page
    }
  }
}
