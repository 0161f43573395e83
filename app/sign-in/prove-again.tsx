import { useSession } from '#app/data/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useIsStillHere } from '#app/ui/use-is-still-here.ts'
import { provePassword } from './prove-password.ts'
import { SecondStep } from './second-step.tsx'
import { AccountName } from './account-name.tsx'
import { SecretForm } from './secret-form.tsx'
import { useAttempt } from './use-attempt.ts'
import { useFactors } from './use-factors.ts'

/**
 * Reauthenticates a signed-in user with the second factor, or with the password if the account has none. Does not call `onProven` once it
 * has left the page: the user has dismissed the action.
 */
export function ProveAgain({ onProven }: { onProven: () => void }) {
  const { user } = useSession()
  const factors = useFactors()
  const isStillHere = useIsStillHere()
  const proceed = () => {
    if (isStillHere()) onProven()
  }

  if (factors.isPending) return <Skeleton height={120} />
  if (!factors.data) {
    return (
      <Stack gap={4} role="alert">
        <p>We couldn’t reach the shop. Check your connection and try again.</p>
        <Button look="solid" onClick={() => void factors.refetch()}>
          Try again
        </Button>
      </Stack>
    )
  }
  const verified = factors.data.filter(({ status }) => status === 'verified')
  if (verified.length > 0) return <SecondStep factors={verified} onProven={proceed} />
  return <PasswordForm email={user?.email ?? ''} onProven={proceed} />
}

function PasswordForm({ email, onProven }: { email: string; onProven: () => void }) {
  const { problem, isBusy, attempt } = useAttempt()
  const prove = async (password: string) => {
    if (await attempt(() => provePassword(password))) onProven()
  }

  return (
    <SecretForm
      label="Password"
      type="password"
      autoComplete="current-password"
      {...{ problem, isBusy }}
      onSecret={(password) => void prove(password)}
    >
      <AccountName email={email} />
    </SecretForm>
  )
}
