import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { safePath } from '#app/session/safe-path.ts'
import { useSession } from '#app/session/session.tsx'
import { useCart } from '#app/storefront/cart/cart-context.ts'
import { shop } from '#shop'
import styles from './auth.module.css'
import { LoginForm } from './login-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { Tabs } from './tabs.tsx'

export const meta = () => [{ title: `Sign in – ${shop.name}` }, { name: 'robots', content: 'noindex' }]

type TabName = 'login' | 'sign-up'

export default function AuthPage() {
  const [tab, setTab] = useState<TabName>('login')
  const [email, setEmail] = useState('')
  const destination = useDestination()
  useLeaveOnceSignedIn(destination)

  return (
    <div className={styles.page}>
      <div className={styles.panel}>
        <h1>{tab === 'login' ? 'Welcome back' : 'Make an account'}</h1>
        <Purpose destination={destination} />
        <Tabs
          label="Login or sign up"
          tabs={[
            { name: 'login', label: 'Login', panel: <LoginForm key={email} initialEmail={email} /> },
            {
              name: 'sign-up',
              label: 'Sign Up',
              panel: (
                <SignUpForm
                  destination={destination}
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
      </div>
    </div>
  )
}

/** Where the visitor wanted to go before being asked to sign in. */
function useDestination(): string {
  const [search] = useSearchParams()
  const wanted = safePath(search.get('redirect'))
  return wanted && !wanted.startsWith('/auth') ? wanted : '/'
}

function useLeaveOnceSignedIn(destination: string) {
  const { status } = useSession()
  const navigate = useNavigate()

  useEffect(() => {
    if (status === 'signed-in') void navigate(destination, { replace: true })
  }, [status, destination, navigate])
}

function Purpose({ destination }: { destination: string }) {
  const { count } = useCart()
  if (destination !== '/checkout') return <p>Your cart follows you to every device once you are in.</p>
  return (
    <p>
      One step before the checkout.
      {count > 0 && ` Your ${count} ${count === 1 ? 'lure comes' : 'lures come'} along.`}
    </p>
  )
}
