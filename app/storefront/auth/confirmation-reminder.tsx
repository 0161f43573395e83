import { useState } from 'react'
import { queryBackend } from '#app/data/query-backend.ts'
import { mailFailure, mailRefusal } from '#app/sign-in/mail-limit.ts'
import { Button } from '#app/ui/button.tsx'
import { useTask } from '#app/ui/form/use-task.ts'
import { Panel } from '#app/ui/layout.tsx'

/** Shown above the login form until a new customer opens the link in the confirmation e-mail. */
export function ConfirmationReminder({ email, redirectTo }: { email: string; redirectTo: string }) {
  const [outcome, setOutcome] = useState<string | null>(null)
  const { isBusy, run } = useTask((error) => setOutcome(mailFailure(error)))

  const resend = async () => {
    const options = { emailRedirectTo: redirectTo }
    const sending = queryBackend(({ auth }) => auth.resend({ type: 'signup', email, options }))
    setOutcome((await mailRefusal(sending)) ?? 'Sent again.')
  }

  return (
    <Panel kind="success" isMarked gap={2} align="start" role="status">
      <p>
        We've e-mailed a link to <strong>{email}</strong>. Open it to confirm your address, then log in.
      </p>
      {outcome && <p>{outcome}</p>}
      <Button look="quiet" disabled={isBusy} onClick={() => void run(resend)}>
        Resend the link
      </Button>
    </Panel>
  )
}
