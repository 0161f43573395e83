import { useState } from 'react'
import { Link } from 'react-router'
import { useLatestLocation } from '#app/ui/use-latest-location.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useTask } from '#app/ui/form/use-task.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { Text } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { MARKETING_WORDING } from '#domain/marketing.ts'
import styles from './footer-form.module.css'
import type { FooterErrors } from './submit-footer-form.ts'

const NO_ERRORS: FooterErrors = { email: null, terms: null }

/** Keeps its fields until the sign-up succeeds. */
export function NewsletterForm() {
  const toast = useToast()
  const [errors, setErrors] = useState(NO_ERRORS)
  const { isBusy, run } = useTask(() =>
    toast({ title: 'Failed to subscribe. Please try again.', tone: 'destructive' }),
  )
  const latest = useLatestLocation()
  const submit = async (form: HTMLFormElement) => {
    const { key } = latest()
    const focused = document.activeElement
    const isStillThere = () =>
      latest().key === key && [focused, document.body].includes(document.activeElement)
    // Read at the press: what is typed while the code below loads is not sent.
    const fields = new FormData(form)
    const { submitFooterForm } = await import('./submit-footer-form.ts')
    await submitFooterForm(form, fields, { toast, setErrors, isStillThere })
  }

  return (
    <Form
      gap={3}
      width={560}
      className={styles.form}
      aria-labelledby="newsletter"
      onSubmit={({ currentTarget }) => void run(() => submit(currentTarget))}
    >
      <Text as="h2" size="title-s" id="newsletter">
        Newsletter
      </Text>
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={errors.email}
      />
      <Checkbox
        name="terms"
        required
        error={errors.terms}
        label={
          <>
            I agree to the <Link to="/terms-of-service">Terms &amp; Conditions</Link>
          </>
        }
      />
      <Checkbox name="marketing" label={MARKETING_WORDING} />
      <Button type="submit" look="solid" place="start" disabled={isBusy}>
        {isBusy ? 'Subscribing...' : 'Subscribe'}
      </Button>
    </Form>
  )
}
