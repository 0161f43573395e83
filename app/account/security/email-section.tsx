import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { replaceData } from '#app/data/query-keys.ts'
import { mailFailure } from '#app/sign-in/mail-limit.ts'
import formStyles from '#app/sign-in/sign-in-form.module.css'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Panel, Problem, Text } from '#app/ui/layout.tsx'
import { emailSchema } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { Section } from '../section.tsx'
import { loadPendingEmail, requestEmailChange } from './email-change.ts'
import { MailboxConfirmation } from './mailbox-confirmation.tsx'

/** The account's e-mail address. A change takes effect once links to the old and the new address were opened. */
export function EmailSection() {
  const { id, email } = useCustomer()
  const queries = useQueryClient()
  const pending = useQuery({ queryKey: ['pending-email', id], queryFn: loadPendingEmail })
  const [isChanging, setIsChanging] = useState(false)

  return (
    <Section title="E-mail">
      <Text breakWords>
        You sign in with <strong>{email}</strong>.
      </Text>
      <MailboxConfirmation />
      <LoadError what="We could not check whether a change is pending." query={pending} />
      {pending.data && (
        <Panel as="p" kind="warning" isMarked breakWords role="status">
          To finish the change, open the links that we e-mailed to {email} and to{' '}
          <strong>{pending.data}</strong>.
        </Panel>
      )}
      {isChanging ? (
        <EmailForm
          onSent={(address) => {
            replaceData(queries, ['pending-email', id], address)
            setIsChanging(false)
          }}
        />
      ) : (
        <Button place="start" onClick={() => setIsChanging(true)}>
          Change e-mail
        </Button>
      )}
    </Section>
  )
}

const EMPTY = { email: '' }
const validateEmail = (typed: { email: string }) => validate(emailSchema, typed)

function EmailForm({ onSent }: { onSent: (address: string) => void }) {
  const { email: present } = useCustomer()
  const { textField, formProps } = useForm(EMPTY, validateEmail)
  const { problem, isBusy, attempt } = useAttempt()
  const change = async (email: string) => {
    if (await attempt(() => requestEmailChange(email, present), mailFailure)) onSent(email)
  }

  return (
    <Form gap={4} align="start" className={formStyles.form} {...formProps(({ email }) => change(email))}>
      <TextField
        label="New e-mail"
        hint="We e-mail a link to your old and to your new address. Nothing changes until you have opened both."
        type="email"
        autoComplete="email"
        // The customer has just asked for the field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        required
        readOnly={isBusy}
        {...textField('email')}
      />
      <Problem>{problem}</Problem>
      <Button type="submit" look="solid" disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send the links'}
      </Button>
    </Form>
  )
}
