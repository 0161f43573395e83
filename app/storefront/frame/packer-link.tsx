import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { isPacker } from '#app/session/is-packer.ts'

interface PackerLinkProps {
  userId: string
  className: string | undefined
}

/** The way to the admin panel for a packer; fetched and asked only when a customer opens the menu, so that pages do not carry it. */
export function PackerLink({ userId, className }: PackerLinkProps) {
  const [worksHere, setWorksHere] = useState(false)

  useEffect(() => {
    const abandoned = new AbortController()
    isPacker(userId)
      .then((answer) => abandoned.signal.aborted || setWorksHere(answer))
      // Nobody misses a link; who works here has others.
      .catch((error: unknown) => console.error('packer check failed', error))
    return () => abandoned.abort()
  }, [userId])

  if (!worksHere) return null
  return (
    <Link to="/admin" className={className}>
      Admin Panel
    </Link>
  )
}
