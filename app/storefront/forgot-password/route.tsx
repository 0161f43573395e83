import { useState } from 'react'
import { useLocation } from 'react-router'
import { queryBackend } from '#app/data/query-backend.ts'
import { mailFailure, mailRefusal } from '#app/sign-in/mail-limit.ts'
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Problem, Stack } from '#app/ui/layout.tsx'
import { emailSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { unlisted } from '../page-meta.ts'

export const meta = unlisted('Forgot password')

export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return sentTo === null ? (
    <SignInPanel title="Forgot password">
      <p>Tell us your e-mail address, and we’ll e-mail you a link to choose a new password.</p>
      <RequestForm onSent={setSentTo} />
    </SignInPanel>
  ) : (
    <SignInPanel title="Check your inbox">
      <Stack gap={4} role="status">
        <p>
          If there is an account for <strong>{sentTo}</strong>, an e-mail with a link is on its way. The link
          works once and for one hour.
        </p>
        <p>Nothing after a few minutes? Check your spam folder, then request another link.</p>
      </Stack>
      <Button onClick={() => setSentTo(null)}>Send another link</Button>
      <BackToSignIn />
    </SignInPanel>
  )
}

const validateEmail = (typed: { email: string }) => validate(emailSchema, typed)

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const { state } = useLocation()
  const [initial] = useState({ email: typeof state?.email === 'string' ? String(state.email) : '' })
  const { textField, formProps } = useForm(initial, validateEmail)
  const { problem, isBusy, attempt } = useAttempt()
  const request = async (email: string) => {
    if (await attempt(() => requestLink(email), mailFailure)) onSent(email)
  }

  return (
    <Form gap={4} {...formProps(({ email }) => request(email))}>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        readOnly={isBusy}
        {...textField('email')}
      />
      <Problem>{problem}</Problem>
      <Button type="submit" look="action" size="large" isWide disabled={isBusy}>
        {isBusy ? 'Sending...' : 'E-mail me a link'}
      </Button>
      <BackToSignIn />
    </Form>
  )
}

function BackToSignIn() {
  return (
    <ButtonLink look="quiet" isWide to="/auth">
      Back to sign in
    </ButtonLink>
  )
}

/** Returns an error message, or null; throws for other errors. The response never reveals whether the account exists. */
function requestLink(email: string): Promise<string | null> {
  const redirectTo = `${location.origin}/auth/new-password`
  return mailRefusal(queryBackend(({ auth }) => auth.resetPasswordForEmail(email, { redirectTo })))
}
