import { useCallback, useState, type MouseEvent } from 'react'
import { useIsStillHere } from './use-is-still-here.ts'

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

/**
 * Returns a function for a link that opens a dialog instead. It takes the link's address, what loads the dialog, and what shows it; and
 * returns the link's properties. The link is followed in a new tab, without scripts, and when the dialog did not load. Neither happens once
 * the visitor has opened another page or dialog.
 */
export function useDialogLink() {
  const isStillHere = useIsStillHere()

  return (href: string, load: () => Promise<boolean>, show: () => void) => {
    const open = async () => {
      const isLoaded = await load()
      if (!isStillHere() || document.querySelector('dialog[open]')) return
      if (isLoaded) show()
      else location.assign(href)
    }
    return {
      href,
      'aria-haspopup': 'dialog' as const,
      onClick: (event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void open()
      },
    }
  }
}
