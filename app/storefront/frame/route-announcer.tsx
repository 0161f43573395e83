import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

/** Says the name of the page after a navigation that the browser itself does not announce. */
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
