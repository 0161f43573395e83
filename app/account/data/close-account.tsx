import { useState } from 'react'
import { forgetSession } from '#app/data/sign-out.ts'
import { SecondStep } from '#app/sign-in/second-step.tsx'
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorText, Stack } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useIsStillHere } from '#app/ui/use-is-still-here.ts'
import { useFactors } from '#app/sign-in/use-factors.ts'
import { LoadError } from '../load-error.tsx'
import { Section } from '../section.tsx'
import { ClosingForm } from './closing-form.tsx'
import { closeAccount, isClosed } from './own-account.ts'
import styles from './data.module.css'

export function CloseAccount() {
  const [isAsking, setIsAsking] = useState(false)
  const closing = useClosing()
  const ask = () => {
    closing.clearProblem()
    setIsAsking(true)
  }

  return (
    <Section title="Delete my account" intro="This cannot be undone.">
      <Stack as="ul" gap={2} className={styles.facts}>
        <li>Your sign-in, details and cart are deleted at once.</li>
        <li>Your consent to news and offers ends. We keep a record of it.</li>
        <li>An order you have not paid for is cancelled.</li>
        <li>
          We keep your orders, paid or cancelled, with your name and address, for five years, as tax law
          requires. Then we erase those details.
        </li>
      </Stack>
      <Button look="danger" place="start" onClick={ask}>
        Delete my account
      </Button>
      <Dialog
        title="Delete my account?"
        width={488}
        isOpen={isAsking}
        isBusy={closing.isBusy}
        onClose={() => setIsAsking(false)}
      >
        {isAsking && <Closing {...closing} />}
      </Dialog>
    </Section>
  )
}

/** Asks for a typed word, then for reauthentication: with the second factor if there is one, otherwise with the password. */
function Closing({ close, problem, isBusy }: Closing) {
  const factors = useFactors()
  const verified = factors.data?.filter(({ status }) => status === 'verified') ?? []
  const hasSecondStep = verified.length > 0
  const [isConfirmed, setIsConfirmed] = useState(false)
  const isStillHere = useIsStillHere()

  if (isConfirmed && hasSecondStep) {
    return (
      <Stack gap={4}>
        <p>Confirm that it's you and we delete your account.</p>
        <ErrorText role="alert">{problem}</ErrorText>
        {isBusy ? (
          <p role="status">Deleting your account...</p>
        ) : (
          <SecondStep factors={verified} onProven={() => isStillHere() && void close()} />
        )}
      </Stack>
    )
  }
  if (factors.isError && !factors.data)
    return <LoadError what="How you confirm that it’s you could not be loaded." query={factors} />
  return (
    <ClosingForm
      asksPassword={!hasSecondStep}
      isBusy={isBusy || factors.isPending}
      problem={problem}
      onConfirm={(checkPassword) => {
        if (hasSecondStep) setIsConfirmed(true)
        else void close(checkPassword)
      }}
    />
  )
}

/** Closes the account after an optional password check. If either fails, shows the error. */
function useClosing() {
  const toast = useToast()
  const { problem, isBusy, attempt, clearProblem } = useAttempt()

  async function close(checkPassword?: () => Promise<string | null>) {
    const hasClosed = await attempt(async () =>
      (await isClosed()) ? null : ((await checkPassword?.()) ?? closeAccount()),
    )
    if (!hasClosed) return
    // Its sessions went with it.
    forgetSession()
    toast({
      title: 'Your account is deleted',
      description: 'Thank you for fishing with us.',
      isForNextPage: true,
    })
  }

  return { close, problem, isBusy, clearProblem }
}

type Closing = ReturnType<typeof useClosing>
