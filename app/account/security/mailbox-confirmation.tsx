import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { mailFailure, nextMailAt, retryTime, tooSoonText } from '#app/sign-in/mail-limit.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorText, Panel, Row } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'

/** Shows whether the address is verified and, if not, offers to e-mail the confirmation link. */
export function MailboxConfirmation() {
  const { id, email } = useCustomer()
  const isVerified = useBackendQuery(
    ['verified-mailbox', id, email],
    (backend) => backend.rpc('has_verified_mailbox'),
    { refetchOnWindowFocus: true },
  )

  if (isVerified.isPending) return <Skeleton height={28} />
  return (
    <>
      {isVerified.data === true && <Verified />}
      {isVerified.data === false && <ConfirmEmail email={email ?? ''} />}
      <LoadError what="We could not check whether your e-mail is confirmed." query={isVerified} />
    </>
  )
}

function Verified() {
  return (
    <Row as="p" gap={2} tone="success" weight={550} role="status">
      <CircleCheck size={20} aria-hidden /> Your e-mail is confirmed.
    </Row>
  )
}

function ConfirmEmail({ email }: { email: string }) {
  const sending = useMutation({ mutationFn: () => sendLink(email) })
  const canSend = useHasPassed(sending.data?.nextAt ?? 0)

  return (
    <Panel kind="warning" isMarked gap={4} breakWords>
      <div role="status">
        {sending.data ? (
          <SendResult email={email} result={sending.data} canSend={canSend} />
        ) : (
          <p>
            You haven’t confirmed this address yet. Confirm it to keep your saved details if you ever reset
            your password.
          </p>
        )}
      </div>
      {sending.isError && <ErrorText role="alert">{mailFailure(sending.error)}</ErrorText>}
      <Button
        place="start"
        look="solid"
        disabled={sending.isPending || !canSend}
        onClick={() => sending.mutate()}
      >
        {labelOf(sending)}
      </Button>
    </Panel>
  )
}

function labelOf({ status }: { status: 'idle' | 'pending' | 'error' | 'success' }): string {
  if (status === 'pending') return 'Sending...'
  if (status === 'error') return 'Try again'
  return status === 'success' ? 'Send it again' : 'Confirm my e-mail'
}

interface LinkResult {
  outcome: 'sent' | 'limited'
  /** When the next e-mail is allowed, in ms since 1970. */
  nextAt: number
}

function SendResult({ email, result, canSend }: { email: string; result: LinkResult; canSend: boolean }) {
  if (result.outcome === 'limited') return <p>{tooSoonText(result.nextAt)}</p>
  return (
    <p>
      We’ve e-mailed a link to <strong>{email}</strong>. Open it within an hour. If you can’t find the e-mail,
      check your spam folder.
      {!canSend && ` You can ask for another one ${retryTime(result.nextAt)}.`}
    </p>
  )
}

/** Returns whether the time has passed, and renders again when it does. */
function useHasPassed(at: number): boolean {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(at), at - Date.now())
    return () => clearTimeout(timer)
  }, [at])
  return now >= at
}

/** The rate limit per address. */
const MINUTE = 60_000

/** Throws unless the link was sent or a rate limit refused it. */
async function sendLink(email: string): Promise<LinkResult> {
  const options = { emailRedirectTo: `${location.origin}/account/security` }
  try {
    await queryBackend(({ auth }) => auth.resend({ type: 'signup', email, options }))
    return { outcome: 'sent', nextAt: Date.now() + MINUTE }
  } catch (error) {
    return { outcome: 'limited', nextAt: nextMailAt(error) }
  }
}
