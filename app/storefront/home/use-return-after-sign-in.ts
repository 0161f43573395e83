import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { afterSignIn } from '#app/data/after-sign-in.ts'
import { useSession } from '#app/data/session.tsx'

/** Confirmation links lead to `/?redirect=…`: sends the signed-in customer on to that page. */
export function useReturnAfterSignIn(): void {
  const [search] = useSearchParams()
  const redirect = search.get('redirect')
  const { status } = useSession()
  const navigate = useNavigate()

  useEffect(() => {
    if (redirect !== null && status === 'signed-in') void navigate(afterSignIn(redirect), { replace: true })
  }, [redirect, status, navigate])
}
