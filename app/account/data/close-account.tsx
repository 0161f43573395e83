import { useState } from 'react'
import { callBackend } from '#app/data/query-backend.ts'
import { isBackendError } from '#app/data/backend-error.ts'
import { useSession } from '#app/data/session.tsx'
import { SecondStep } from '#app/sign-in/second-step.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorText, Stack } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useFactors } from '../security/factors.ts'
import { Section } from '../section.tsx'
import { ClosingForm } from './closing-form.tsx'
import styles from './data.module.css'

export function CloseAccount() {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Section title="Delete my account" intro="This cannot be undone.">
      <Stack as="ul" gap={2} className={styles.facts}>
        <li>Your sign-in, details, cart and consent are deleted at once.</li>
        <li>An order you have not paid for is cancelled.</li>
        <li>
          We keep orders that you paid for, with their name and address, for five years, as tax law requires.
          Then we erase them too.
        </li>
      </Stack>
      <Button look="danger" className={styles.start} onClick={() => setIsAsking(true)}>
        Delete my account
      </Button>
      <Dialog title="Delete my account?" isOpen={isAsking} onClose={() => setIsAsking(false)}>
        {isAsking && <Closing />}
      </Dialog>
    </Section>
  )
}

/** Asks for a typed word, then for reauthentication: with the second factor if there is one, otherwise with the password. */
function Closing() {
  const factors = useFactors()
  const hasSecondStep = factors.data?.some(({ status }) => status === 'verified') ?? false
  const [isConfirmed, setIsConfirmed] = useState(false)
  const { close, problem, isBusy } = useClosing()

  if (isConfirmed && hasSecondStep) {
    return (
      <div className={styles.closing}>
        <p>Confirm that it's you and we delete your account.</p>
        {problem && <ErrorText role="alert">{problem}</ErrorText>}
        {isBusy ? (
          <p role="status">Deleting your account...</p>
        ) : (
          <SecondStep onProven={() => void close()} />
        )}
      </div>
    )
  }
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

/** Closes the account after an optional password check. If either fails, shows the error and changes nothing. */
function useClosing() {
  const { signOut } = useSession()
  const toast = useToast()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  async function close(checkPassword?: () => Promise<string | null>) {
    setIsBusy(true)
    setProblem(null)
    const failure = (await checkPassword?.()) ?? (await closeAccount())
    setIsBusy(false)
    if (failure) return setProblem(failure)
    await signOut()
    toast({
      title: 'Your account is deleted',
      description: 'Thank you for fishing with us.',
      isForNextPage: true,
    })
  }

  return { close, problem, isBusy }
}

async function closeAccount(): Promise<string | null> {
  try {
    await callBackend((backend) => backend.rpc('close_account'))
    return null
  } catch (error) {
    if (error instanceof Error && isBackendError(error.cause) && error.cause.code.startsWith('PT'))
      return error.cause.message
    console.error('the account was not closed', error)
    return 'We couldn’t reach the shop. Your account has not changed. Please try again.'
  }
}
