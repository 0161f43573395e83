import { UserRound } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { signInPath } from '#app/data/sign-in-path.ts'
import { IconLink } from '#app/ui/button.tsx'

/** Only signed-in customers fetch the menu. Without it, the button still leads to the account. */
const SignedInMenu = lazy<ComponentType>(() =>
  import('./signed-in-menu.tsx').then(
    (module) => ({ default: module.SignedInMenu }),
    () => ({ default: AccountLink }),
  ),
)

/** A link to the sign-in page, or the menu of a signed-in customer. */
export function AccountMenu() {
  const { status } = useSession()
  const { pathname } = useLocation()
  if (status === 'signed-in') {
    return (
      <Suspense fallback={<AccountLink />}>
        <SignedInMenu />
      </Suspense>
    )
  }
  return (
    <IconLink to={signInPath(pathname)} label="Sign in">
      <UserRound size={22} aria-hidden />
    </IconLink>
  )
}

function AccountLink() {
  return (
    <IconLink to="/account" label="My Account">
      <UserRound size={22} aria-hidden />
    </IconLink>
  )
}
