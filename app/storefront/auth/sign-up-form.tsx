import { useState } from 'react'
import { callFunction, queryBackend } from '#app/data/query-backend.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { Hint } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { MARKETING_WORDING } from '#domain/marketing.ts'
import { signUpSchema, type SignUp } from '#domain/validation/account.ts'
import { validate } from '#domain/validation/schema.ts'
import { shop } from '#shop'
import { useSubmission } from './use-submission.ts'

interface SignUpFormProps {
  /** The page that the visitor came from; the e-mail link returns there. */
  cameFrom: string
  /** Called when the customer must confirm the e-mail address before signing in. */
  onConfirmationNeeded: (email: string) => void
}

const EMPTY = { fullName: '', email: '', password: '' }
const validateSignUp = (typed: SignUp) => validate(signUpSchema, typed)

export function SignUpForm({ cameFrom, onConfirmationNeeded }: SignUpFormProps) {
  const toast = useToast()
  const { isBusy, submit } = useSubmission()
  const { textField, formProps } = useForm(EMPTY, validateSignUp)
  const [wantsNews, setWantsNews] = useState(false)

  const signUp = async ({ fullName, email, password }: SignUp) => {
    const { session } = await queryBackend(({ auth }) =>
      auth.signUp({
        email,
        password,
        options: { emailRedirectTo: confirmationRedirect(cameFrom), data: { full_name: fullName } },
      }),
    )
    toast({
      title: 'Success',
      description: 'Account created successfully! You can now log in.',
      isForNextPage: true,
    })
    if (wantsNews || shop.signUpOptsIntoMarketing) void subscribe(email)
    if (!session) onConfirmationNeeded(email)
    return session !== null
  }

  return (
    <Form gap={4} {...formProps((account) => submit(() => signUp(account), 'Signup failed'))}>
      <TextField
        label="Full Name"
        autoComplete="name"
        required
        readOnly={isBusy}
        {...textField('fullName')}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        required
        readOnly={isBusy}
        {...textField('email')}
      />
      <TextField
        label="Password"
        hint="At least 6 characters."
        type="password"
        autoComplete="new-password"
        required
        readOnly={isBusy}
        {...textField('password')}
      />
      {!shop.signUpOptsIntoMarketing && (
        <Checkbox name="marketing" label={MARKETING_WORDING} checked={wantsNews} onCheck={setWantsNews} />
      )}
      <Button type="submit" look="action" size="large" isWide disabled={isBusy}>
        {isBusy ? 'Creating account...' : 'Sign Up'}
      </Button>
      <Hint>
        We use your details to fulfil and send your orders, as our{' '}
        <a href="/privacy-policy" target="_blank" rel="noreferrer">
          Privacy Policy
        </a>{' '}
        explains.
      </Hint>
    </Form>
  )
}

/** Returns the address that the confirmation link leads to. */
export function confirmationRedirect(cameFrom: string): string {
  return `${location.origin}/?redirect=${encodeURIComponent(cameFrom)}`
}

/** The account does not depend on the welcome e-mail, so a failure is only logged. */
async function subscribe(email: string): Promise<void> {
  const body = { email, acceptedTerms: true, marketingOptIn: true }
  await callFunction('send-newsletter-signup', body).catch((error: unknown) =>
    console.error('the welcome e-mail was not requested', error),
  )
}
