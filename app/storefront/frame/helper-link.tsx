import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { isHelper } from '#app/session/is-helper.ts'

interface HelperLinkProps {
  userId: string
  className: string | undefined
}

/** The way to the admin panel for a helper; fetched and asked only when a customer opens the menu, so that pages do not carry it. */
export function HelperLink({ userId, className }: HelperLinkProps) {
  const [worksHere, setWorksHere] = useState(false)

  useEffect(() => {
    const abandoned = new AbortController()
    isHelper(userId)
      .then((answer) => abandoned.signal.aborted || setWorksHere(answer))
      // Nobody misses a link; who works here has others.
      .catch((error: unknown) => console.error('helper check failed', error))
    return () => abandoned.abort()
  }, [userId])

  if (!worksHere) return null
  return (
    <Link to="/admin" className={className}>
      Admin Panel
    </Link>
  )
}
