import { useState } from 'react'
import { useLocation } from 'react-router'
import { queryBackend } from '#app/data/query-backend.ts'
import { authErrorCode } from '#app/data/backend-error.ts'
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { emailSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { shop } from '#shop'
import styles from '#app/sign-in/sign-in-form.module.css'
import { ErrorText } from '#app/ui/layout.tsx'

export const meta = () => [
  { title: `Forgot password – ${shop.name}` },
  { name: 'robots', content: 'noindex' },
]

export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return sentTo === null ? (
    <SignInPanel title="Forgot password">
      <p>Tell us your e-mail address, and we’ll e-mail you a link to choose a new password.</p>
      <RequestForm onSent={setSentTo} />
    </SignInPanel>
  ) : (
    <SignInPanel title="Check your inbox">
      <div className={styles.form} role="status">
        <p>
          If there is an account for <strong>{sentTo}</strong>, an e-mail with a link is on its way. The link
          works once and for one hour.
        </p>
        <p>Nothing after a few minutes? Check your spam folder, then request another link.</p>
      </div>
      <Button look="outline" onClick={() => setSentTo(null)}>
        Send another link
      </Button>
      <ButtonLink look="quiet" isWide to="/auth">
        Back to sign in
      </ButtonLink>
    </SignInPanel>
  )
}

const validateEmail = (typed: { email: string }) => validate(emailSchema, typed)

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const { state } = useLocation()
  const [initial] = useState({ email: typeof state?.email === 'string' ? String(state.email) : '' })
  const { attachForm, typed, textField, reportValidity } = useForm(initial, validateEmail)
  const { problem, isBusy, attempt } = useAttempt()
  const request = async () => {
    const email = typed.email.trim()
    if (await attempt(() => requestLink(email), NOT_SENT)) onSent(email)
  }

  return (
    <Form
      ref={attachForm}
      className={styles.form}
      onSubmit={() => {
        if (reportValidity()) void request()
      }}
    >
      <TextField label="E-mail" type="email" autoComplete="username" required {...textField('email')} />
      <ErrorText size="s" role="alert">
        {problem}
      </ErrorText>
      <Button type="submit" look="action" size="large" isWide disabled={isBusy}>
        {isBusy ? 'Sending...' : 'E-mail me a link'}
      </Button>
      <ButtonLink look="quiet" isWide to="/auth">
        Back to sign in
      </ButtonLink>
    </Form>
  )
}

const NOT_SENT = "We couldn't reach the shop, so no e-mail was sent. Check your connection and try again."

/** Returns an error message, or null; throws for other errors. The response never reveals whether the account exists. */
async function requestLink(email: string): Promise<string | null> {
  try {
    const redirectTo = `${location.origin}/auth/new-password`
    await queryBackend(({ auth }) => auth.resetPasswordForEmail(email, { redirectTo }))
    return null
  } catch (error) {
    if (authErrorCode(error) === 'over_email_send_rate_limit')
      return 'We sent an e-mail to this address a moment ago. Please wait a minute before you try again.'
    throw error
  }
}
