import { useCallback, useState } from 'react'

/**
 * Loads a part of a page on demand. The returned function resolves to false when the download fails, so that the caller can offer
 * another way, usually a link.
 */
export function useLazyModule<Module extends object>(load: () => Promise<Module>) {
  const [module, setModule] = useState<Module | null>(null)
  const [hasFailed, setHasFailed] = useState(false)

  const loadModule = useCallback(async (): Promise<boolean> => {
    setHasFailed(false)
    try {
      const loaded = await load()
      setModule(() => loaded)
      return true
    } catch (error) {
      console.error('a part of the page did not load', error)
      setHasFailed(true)
      return false
    }
  }, [load])
  return [module, loadModule, hasFailed] as const
}
