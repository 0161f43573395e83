import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { afterSignIn } from '#app/data/after-sign-in.ts'
import { safePath } from '#app/data/safe-path.ts'
import { useSession } from '#app/data/session.tsx'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { SecondStep } from '#app/sign-in/second-step.tsx'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { Button } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useRedirect } from '#app/ui/use-redirect.ts'
import { unlisted } from '../page-meta.ts'
import { ConfirmationReminder } from './confirmation-reminder.tsx'
import { loggedInToast, LoginForm } from './login-form.tsx'
import { confirmationRedirect, SignUpForm } from './sign-up-form.tsx'
import { Tabs } from './tabs.tsx'

export const meta = unlisted('Sign in')

type TabName = 'login' | 'sign-up'

export default function AuthPage() {
  const { cameFrom, destination } = useDestination()
  const { status, awaitsFactor } = useSession()
  useRedirect(status === 'signed-in' ? destination : null)
  return awaitsFactor ? <SecondStepPage /> : <SignInTabs cameFrom={cameFrom} destination={destination} />
}

/** Shown after the password when the account has a second factor. */
function SecondStepPage() {
  const { factors, signOut } = useSession()
  const toast = useToast()
  return (
    <SignInPanel title="One more step">
      <p>Your account is protected by a second step.</p>
      <SecondStep factors={factors} onProven={() => toast(loggedInToast)} />
      <Button look="quiet" onClick={() => void signOut()}>
        Use another account
      </Button>
    </SignInPanel>
  )
}

interface SignInTabsProps {
  /** The page that the visitor came from; e-mail links return there. */
  cameFrom: string
  destination: string
}

function SignInTabs({ cameFrom, destination }: SignInTabsProps) {
  const [tab, setTab] = useState<TabName>('login')
  const [email, setEmail] = useState('')

  return (
    <SignInPanel title={tab === 'login' ? 'Welcome back' : 'Create an account'}>
      <Purpose destination={destination} />
      {email && <ConfirmationReminder email={email} redirectTo={confirmationRedirect(cameFrom)} />}
      <Tabs
        label="Login or sign up"
        tabs={[
          { name: 'login', label: 'Login', panel: <LoginForm key={email} initialEmail={email} /> },
          {
            name: 'sign-up',
            label: 'Sign Up',
            panel: (
              <SignUpForm
                cameFrom={cameFrom}
                onConfirmationNeeded={(signedUpEmail) => {
                  setEmail(signedUpEmail)
                  setTab('login')
                }}
              />
            ),
          },
        ]}
        chosen={tab}
        onChoose={setTab}
      />
    </SignInPanel>
  )
}

function useDestination() {
  const [search] = useSearchParams()
  const redirect = search.get('redirect')
  return { cameFrom: safePath(redirect) ?? '/', destination: afterSignIn(redirect) }
}

function Purpose({ destination }: { destination: string }) {
  const { count } = useCart()
  if (destination !== '/checkout') return <p>Sign in and your cart follows you to every device.</p>
  return (
    <p>
      One step before the checkout.
      {count > 0 && ` Your ${count} ${count === 1 ? 'lure stays' : 'lures stay'} in your cart.`}
    </p>
  )
}
