import { useSearchParams } from 'react-router'
import { afterSignIn } from '#app/data/after-sign-in.ts'
import { useSession } from '#app/data/session.tsx'
import { useRedirect } from '#app/ui/use-redirect.ts'

/** Confirmation links lead to `/?redirect=…`: sends the signed-in customer on to that page. */
export function useReturnAfterSignIn(): void {
  const [search] = useSearchParams()
  const redirect = search.get('redirect')
  const { status } = useSession()
  useRedirect(redirect !== null && status === 'signed-in' ? afterSignIn(redirect) : null)
}
