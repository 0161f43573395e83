import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

/** Announces a new page title after client-side navigation, as browsers do after a full load. A filter of a list changes no title. */
export function RouteAnnouncer() {
  const { pathname, search } = useLocation()
  const address = pathname + search
  const known = useRef({ address, title: '' })
  const [title, setTitle] = useState('')

  useEffect(() => {
    const shown = { address, title: document.title }
    if (known.current.address !== address && known.current.title !== shown.title) setTitle(shown.title)
    known.current = shown
  }, [address])

  return (
    <VisuallyHidden role="status" aria-live="polite">
      {title}
    </VisuallyHidden>
  )
}
