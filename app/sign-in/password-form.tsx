import { useState } from 'react'
import { authErrorCode, authRefusal } from '#app/data/backend-error.ts'
import { failureText } from '#app/data/failure-text.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Problem } from '#app/ui/layout.tsx'
import { newPasswordSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { AccountName } from './account-name.tsx'
import { TOO_MANY } from './prove-password.ts'
import styles from './sign-in-form.module.css'
import { useAttempt } from './use-attempt.ts'

const validatePassword = (typed: { password: string }) => validate(newPasswordSchema, typed)

const REFUSALS = {
  same_password: 'This is your present password. Choose another one.',
  reauthentication_not_valid: 'This code is wrong or older than an hour.',
  over_request_rate_limit: TOO_MANY,
}

/** If the first change succeeded, the second is refused with `same_password`, which tells the customer. */
const changeFailure = failureText({
  refused: 'Your password was not changed. Please try again.',
  lost: 'We didn’t get an answer, so your password may already be changed. Please try again.',
})

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
  const { textField, setTyped, formProps } = useForm({ password: '' }, validatePassword)
  const [code, setCode] = useState<string | null>(null)
  const { problem, isBusy, attempt } = useAttempt()

  async function change(password: string) {
    if (await changePassword(password, code?.trim() ?? '')) {
      setTyped({ password: '' })
      setCode(null)
      onChanged()
    } else setCode('')
  }
  const submit = ({ password }: { password: string }) =>
    attempt(() => authRefusal(change(password), REFUSALS), changeFailure)

  return (
    <Form gap={4} align="start" className={styles.form} {...formProps(submit)}>
      <AccountName email={email} />
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
          onValue={setCode}
        />
      )}
      <Problem>{problem}</Problem>
      <Button type="submit" look="solid" disabled={isBusy}>
        {isBusy ? 'Saving...' : 'Change password'}
      </Button>
    </Form>
  )
}

/** Resolves to false when the server requires a code, which it has mailed. */
async function changePassword(password: string, nonce: string): Promise<boolean> {
  try {
    await queryBackend(({ auth }) => auth.updateUser({ password, ...(nonce && { nonce }) }))
    return true
  } catch (error) {
    if (authErrorCode(error) !== 'reauthentication_needed') throw error
  }
  await queryBackend(({ auth }) => auth.reauthenticate()).catch((error: unknown) => {
    // A code that was mailed within the last minute is still valid.
    if (authErrorCode(error) !== 'over_email_send_rate_limit') throw error
  })
  return false
}
