import { useState } from 'react'

/**
 * A part of a page that is fetched when somebody asks for it. `bring` says whether it came; where the network fails, the
 * caller has another way to what was wanted.
 */
export function useLazyModule<Part extends object>(load: () => Promise<Part>) {
  const [part, setPart] = useState<Part | null>(null)
  const [hasFailed, setHasFailed] = useState(false)

  async function bring(): Promise<boolean> {
    setHasFailed(false)
    try {
      const loaded = await load()
      setPart(() => loaded)
      return true
    } catch (error) {
      console.error('a part of the page did not load', error)
      setHasFailed(true)
      return false
    }
  }
  return [part, bring, hasFailed] as const
}
