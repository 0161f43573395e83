import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { isPacker } from '#app/data/is-packer.ts'

interface PackerLinkProps {
  userId: string
  className: string | undefined
}

/** The admin panel link for packers. Checks the role only when a customer opens the menu. */
export function PackerLink({ userId, className }: PackerLinkProps) {
  const [isShown, setIsShown] = useState(false)

  useEffect(() => {
    const controller = new AbortController()
    isPacker(userId)
      .then((isPackerRole) => controller.signal.aborted || setIsShown(isPackerRole))
      // The link is a convenience, so a failure is only logged.
      .catch((error: unknown) => console.error('packer check failed', error))
    return () => controller.abort()
  }, [userId])

  if (!isShown) return null
  return (
    <Link to="/admin" className={className}>
      Admin Panel
    </Link>
  )
}
