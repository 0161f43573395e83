import { useState } from 'react'
import { queryBackend } from '#app/data/query-backend.ts'
import { authErrorCode } from '#app/data/backend-error.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { ErrorText } from '#app/ui/layout.tsx'
import { newPasswordSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import styles from './sign-in-form.module.css'

const validatePassword = (typed: { password: string }) => validate(newPasswordSchema, typed)

interface PasswordFormProps {
  /** For the browser's password manager. */
  email: string | null
  onChanged: () => void
}

/**
 * Sets a new password. If the sign-in is more than a day old, the server requires a mailed code, and the form asks for it beside the
 * typed password.
 */
export function PasswordForm({ email, onChanged }: PasswordFormProps) {
  const { attachForm, typed, textField, reportValidity, setTyped } = useForm(
    { password: '' },
    validatePassword,
  )
  const [code, setCode] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  const change = async () => {
    setIsBusy(true)
    setProblem(null)
    const changing = await changePassword(typed.password, code?.trim() ?? '')
    setIsBusy(false)
    if (changing.outcome === 'code-mailed') return setCode('')
    if (changing.outcome === 'refused') return setProblem(changing.message)
    setTyped({ password: '' })
    setCode(null)
    onChanged()
  }

  return (
    <Form
      ref={attachForm}
      className={styles.form}
      onSubmit={() => {
        if (reportValidity() && !isBusy) void change()
      }}
    >
      {/* Tells password managers which account this is. */}
      <input hidden readOnly autoComplete="username" value={email ?? ''} />
      <TextField
        label="New password"
        hint="At least 6 characters."
        type="password"
        autoComplete="new-password"
        required
        {...textField('password')}
      />
      {code !== null && (
        <TextField
          label="Code from your mailbox"
          hint={`You signed in a while ago, so we’ve e-mailed a six-digit code to ${email ?? 'you'}.`}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      <ErrorText size="s" role="alert">
        {problem}
      </ErrorText>
      <Button type="submit" look="solid" disabled={isBusy}>
        {isBusy ? 'Saving...' : 'Change password'}
      </Button>
    </Form>
  )
}

type Changing = { outcome: 'changed' | 'code-mailed' } | { outcome: 'refused'; message: string }

async function changePassword(password: string, nonce: string): Promise<Changing> {
  try {
    await queryBackend(({ auth }) => auth.updateUser({ password, ...(nonce && { nonce }) }))
    return { outcome: 'changed' }
  } catch (error) {
    return authErrorCode(error) === 'reauthentication_needed' ? mailCode() : refused(error)
  }
}

async function mailCode(): Promise<Changing> {
  try {
    await queryBackend(({ auth }) => auth.reauthenticate())
  } catch (error) {
    // A code that was mailed within the last minute is still valid.
    if (authErrorCode(error) !== 'over_email_send_rate_limit') return refused(error)
  }
  return { outcome: 'code-mailed' }
}

const WORDS: Record<string, string> = {
  same_password: 'This is your present password. Choose another one.',
  reauthentication_not_valid: 'This code is wrong or older than an hour.',
  over_request_rate_limit: 'Too many attempts. Please wait five minutes.',
}

function refused(error: unknown): Changing {
  const words = WORDS[authErrorCode(error) ?? '']
  if (!words) console.error('the password was not changed', error)
  return {
    outcome: 'refused',
    message: words ?? 'Your password was not changed. Please try again.',
  }
}
