import { useState } from 'react'
import { authErrorCode, authRefusal } from '#app/data/backend-error.ts'
import { failureText } from '#app/data/failure-text.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Problem, Row } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { newPasswordSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { AccountName } from './account-name.tsx'
import { mailFailure, mailRefusal } from './mail-limit.ts'
import { TOO_MANY } from './prove-password.ts'
import styles from './sign-in-form.module.css'
import { useAttempt } from './use-attempt.ts'

const validatePassword = (typed: { password: string }) => validate(newPasswordSchema, typed)

const WRONG_CODE = 'This code is wrong, was used before, or is older than an hour.'

const REFUSALS = {
  same_password: 'This is your present password. Choose another one.',
  reauthentication_not_valid: WRONG_CODE,
  over_request_rate_limit: TOO_MANY,
}

/** If the first change succeeded, the second is refused as the same password, or because of its used code, which tells the customer. */
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
  const toast = useToast()

  async function change(password: string): Promise<string | null> {
    const changing = changePassword(password, code?.trim() ?? '')
    const refusal = await authRefusal(changing, REFUSALS)
    // Keeps a code that was typed in the meantime.
    if (refusal === WRONG_CODE) setCode((typed) => (typed === code ? '' : typed))
    if (refusal) return refusal
    if (!(await changing)) return sendCode()
    setTyped({ password: '' })
    setCode(null)
    onChanged()
    return null
  }
  /** A refusal to mail so soon is shown: the code of the earlier mail may have been used. */
  async function sendCode(): Promise<string | null> {
    const refusal = await mailRefusal(queryBackend(({ auth }) => auth.reauthenticate()))
    setCode((typed) => typed ?? '')
    return refusal
  }
  async function sendNewCode() {
    if (await attempt(sendCode, mailFailure))
      toast({ title: 'New code sent', description: 'Earlier codes no longer work.' })
  }
  const submit = ({ password }: { password: string }) => attempt(() => change(password), changeFailure)

  return (
    <Form gap={4} align="start" className={styles.form} {...formProps(submit)}>
      <AccountName email={email} />
      <TextField
        label="New password"
        hint="At least 6 characters."
        type="password"
        autoComplete="new-password"
        required
        readOnly={isBusy}
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
      <Row gap={4} wrap>
        <Button type="submit" look="solid" disabled={isBusy}>
          {isBusy ? 'Saving...' : 'Change password'}
        </Button>
        {code !== null && (
          <Button look="quiet" disabled={isBusy} onClick={() => void sendNewCode()}>
            Send a new code
          </Button>
        )}
      </Row>
    </Form>
  )
}

/** Resolves to false when the server requires a mailed code. */
async function changePassword(password: string, nonce: string): Promise<boolean> {
  try {
    await queryBackend(({ auth }) => auth.updateUser({ password, ...(nonce && { nonce }) }))
    return true
  } catch (error) {
    if (authErrorCode(error) !== 'reauthentication_needed') throw error
    return false
  }
}
