import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryBackend } from '#app/data/query-backend.ts'
import { authErrorCode } from '#app/data/backend-error.ts'
import formStyles from '#app/sign-in/sign-in-form.module.css'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { ErrorText } from '#app/ui/layout.tsx'
import { emailSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { useCustomer } from '../account-gate.tsx'
import { Section } from '../section.tsx'
import { MailboxConfirmation } from './mailbox-confirmation.tsx'
import styles from './security.module.css'

/** The account's e-mail address. A change takes effect once links to the old and the new address were opened. */
export function EmailSection() {
  const { id, email } = useCustomer()
  const queries = useQueryClient()
  const pending = useQuery({ queryKey: ['pending-email', id], queryFn: loadPendingEmail })
  const [isChanging, setIsChanging] = useState(false)

  return (
    <Section title="E-mail">
      <p>
        You sign in with <strong className={styles.address}>{email}</strong>.
      </p>
      <MailboxConfirmation />
      {pending.data && (
        <p className={styles.message} role="status">
          To finish the change, open the links that we e-mailed to {email} and to{' '}
          <strong className={styles.address}>{pending.data}</strong>.
        </p>
      )}
      {isChanging ? (
        <EmailForm
          onSent={(address) => {
            queries.setQueryData(['pending-email', id], address)
            setIsChanging(false)
          }}
        />
      ) : (
        <Button className={styles.start} onClick={() => setIsChanging(true)}>
          Change e-mail
        </Button>
      )}
    </Section>
  )
}

async function loadPendingEmail(): Promise<string | null> {
  const { user } = await queryBackend(({ auth }) => auth.getUser())
  return user.new_email ?? null
}

const EMPTY = { email: '' }
const validateEmail = (typed: { email: string }) => validate(emailSchema, typed)

function EmailForm({ onSent }: { onSent: (address: string) => void }) {
  const { attachForm, typed, textField, reportValidity } = useForm(EMPTY, validateEmail)
  const { problem, isBusy, attempt } = useAttempt()
  const change = async () => {
    const address = typed.email.trim()
    if (await attempt(() => requestChange(address), 'We couldn’t send the links. Please try again.'))
      onSent(address)
  }

  return (
    <Form
      ref={attachForm}
      className={formStyles.form}
      onSubmit={() => {
        if (reportValidity()) void change()
      }}
    >
      <TextField
        label="New e-mail"
        hint="We e-mail a link to your old and to your new address. Nothing changes until you have opened both."
        type="email"
        autoComplete="email"
        required
        {...textField('email')}
      />
      <ErrorText size="s" role="alert">
        {problem}
      </ErrorText>
      <Button type="submit" look="solid" disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send the links'}
      </Button>
    </Form>
  )
}

/** Returns an error message, or null; throws for other errors. Does not reveal whether another account has the address. */
async function requestChange(email: string): Promise<string | null> {
  try {
    const emailRedirectTo = `${location.origin}/auth/confirmed`
    await queryBackend(({ auth }) => auth.updateUser({ email }, { emailRedirectTo }))
    return null
  } catch (error) {
    if (authErrorCode(error) === 'over_email_send_rate_limit')
      return 'We sent an e-mail to this address a moment ago. Please wait a minute before you ask again.'
    throw error
  }
}
