import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

/** Announces the page title after client-side navigation, as browsers do after a full load. */
export function RouteAnnouncer() {
  const { pathname } = useLocation()
  const first = useRef(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    if (first.current === pathname) return
    first.current = ''
    setTitle(document.title)
  }, [pathname])

  return (
    <VisuallyHidden role="status" aria-live="polite">
      {title}
    </VisuallyHidden>
  )
}
