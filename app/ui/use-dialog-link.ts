import type { MouseEvent } from 'react'
import { useIsStillHere } from './use-is-still-here.ts'

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
