import { Link } from 'react-router'
import { queryBackend } from '#app/data/query-backend.ts'
import { knownSession } from '#app/data/stored-session.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { loginSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { useSubmission } from './use-submission.ts'

export const loggedInToast: Toast = {
  title: 'Success',
  description: 'Logged in successfully',
  isForNextPage: true,
}

type Login = Record<'email' | 'password', string>

const validateLogin = (typed: Login) => validate(loginSchema, typed)

export function LoginForm({ initialEmail }: { initialEmail: string }) {
  const toast = useToast()
  const { isBusy, submit } = useSubmission()
  const { typed, textField, formProps } = useForm({ email: initialEmail, password: '' }, validateLogin)

  const logIn = async (login: Login) => {
    const { session } = await queryBackend(({ auth }) => auth.signInWithPassword(login))
    if (!knownSession(session)?.awaitsFactor) toast(loggedInToast)
    return true
  }

  return (
    <Form gap={4} {...formProps((login) => submit(() => logIn(login), 'Login failed'))}>
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
      <Row
        as={Link}
        touch
        size="s"
        justify="center"
        to="/auth/forgot-password"
        state={{ email: typed.email.trim() }}
      >
        Forgot password?
      </Row>
    </Form>
  )
}
