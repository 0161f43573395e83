import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { afterSignIn } from '#app/data/after-sign-in.ts'
import { useSession } from '#app/data/session.tsx'
import { useLatestLocation } from '#app/ui/use-latest-location.ts'

/** Confirmation links lead to `/?redirect=…`: sends the signed-in customer on to that page. */
export function useReturnAfterSignIn(): void {
  const [search] = useSearchParams()
  const redirect = search.get('redirect')
  const { status } = useSession()
  const navigate = useNavigate()
  const latest = useLatestLocation()

  useEffect(() => {
    if (redirect === null || status !== 'signed-in') return
    // Not from a page that was opened meanwhile. `useRedirect` would load code of other pages with home.
    if (latest().pathname === '/') void navigate(afterSignIn(redirect), { replace: true })
  }, [redirect, status, navigate, latest])
}
