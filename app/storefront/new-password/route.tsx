import { useSession } from '#app/data/session.tsx'
import { useLinkAnswer } from '#app/sign-in/link-answer.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { PasswordForm } from '#app/sign-in/password-form.tsx'
import { SecondStep } from '#app/sign-in/second-step.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useLateNavigate } from '#app/ui/use-late-navigate.ts'
import { unlisted } from '../page-meta.ts'

export const meta = unlisted('New password')

/** The page that password recovery links lead to. The link has already signed the customer in. */
export default function NewPassword() {
  const { status, user, factors, awaitsFactor } = useSession()
  const answer = useLinkAnswer()
  const navigate = useLateNavigate()
  const toast = useToast()

  if (answer?.kind === 'refused') return <ExpiredLink />
  if (awaitsFactor) {
    return (
      <SignInPanel title="One more step">
        <p>Your account is protected by a second step, also for a new password.</p>
        <SecondStep factors={factors} />
      </SignInPanel>
    )
  }
  if (status === 'signed-in') {
    return (
      <SignInPanel title="Choose a new password">
        <p>For {user?.email}. Changing it signs you out everywhere else.</p>
        <PasswordForm
          email={user?.email ?? null}
          onChanged={() => {
            toast({ title: 'Success', description: 'Your password is changed.', isForNextPage: true })
            navigate('/account', { replace: true })
          }}
        />
      </SignInPanel>
    )
  }
  return status === 'loading' ? <SignInPanel title="Choose a new password" /> : <ExpiredLink />
}

function ExpiredLink() {
  return (
    <SignInPanel title="This link has expired">
      <p>A link works once and for one hour. Request a new one; it takes a minute.</p>
      <ButtonLink look="action" size="large" to="/auth/forgot-password">
        E-mail me a new link
      </ButtonLink>
    </SignInPanel>
  )
}
