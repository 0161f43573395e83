import { useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { Button } from '#app/ui/button.tsx'
import styles from './auth.module.css'

/** Stands over the login once a sign-up waits for its mailed link. */
export function ConfirmationNotice({ email, redirectTo }: { email: string; redirectTo: string }) {
  const [answer, setAnswer] = useState<string | null>(null)

  const mailAgain = async () => {
    const client = await loadBackend()
    const { error } = await client.auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: redirectTo },
    })
    if (error) console.error('the link was not mailed again', error)
    setAnswer(error ? 'Please wait a minute, then try again.' : 'Sent again.')
  }

  return (
    <div className={styles.notice} role="status">
      <p>
        We have e-mailed a link to <strong>{email}</strong>. Open it once, then you can log in.
      </p>
      {answer ? (
        <p>{answer}</p>
      ) : (
        <Button look="quiet" onClick={() => void mailAgain()}>
          Resend the link
        </Button>
      )}
    </div>
  )
}
