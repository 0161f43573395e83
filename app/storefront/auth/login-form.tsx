import { Link } from 'react-router'
import { queryBackend } from '#app/data/query-backend.ts'
import { knownSession } from '#app/data/stored-session.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { loginSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import styles from './auth.module.css'
import { useSubmission } from './use-submission.ts'

export const loggedInToast: Toast = {
  title: 'Success',
  description: 'Logged in successfully',
  isForNextPage: true,
}

const validateLogin = (typed: { email: string; password: string }) => validate(loginSchema, typed)

export function LoginForm({ initialEmail }: { initialEmail: string }) {
  const toast = useToast()
  const { isBusy, submit } = useSubmission()
  const { attachForm, typed, textField, reportValidity } = useForm(
    { email: initialEmail, password: '' },
    validateLogin,
  )

  const logIn = async () => {
    const { session } = await queryBackend(({ auth }) =>
      auth.signInWithPassword({ email: typed.email.trim(), password: typed.password }),
    )
    if (!knownSession(session)?.awaitsFactor) toast(loggedInToast)
    return true
  }

  return (
    <Form
      ref={attachForm}
      gap={4}
      onSubmit={() => {
        if (reportValidity()) void submit(logIn, 'Login failed')
      }}
    >
      <TextField label="E-mail" type="email" autoComplete="username" required {...textField('email')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        {...textField('password')}
      />
      <Button type="submit" look="action" size="large" isWide disabled={isBusy}>
        {isBusy ? 'Logging in...' : 'Login'}
      </Button>
      <Link className={styles.forgot} to="/auth/forgot-password" state={{ email: typed.email.trim() }}>
        Forgot password?
      </Link>
    </Form>
  )
}
