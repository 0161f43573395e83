import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Form } from '#app/storefront/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { Checkbox, TextField } from '#app/ui/field.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { alreadyListed, judgeFooter, NEWS_CONSENT, noNewsWanted } from '#domain/validation/newsletter.ts'
import styles from './footer-form.module.css'
import { signUpForNews } from './sign-up-for-news.ts'

const NOTHING_WRONG = { email: null, terms: null } as ReturnType<typeof judgeFooter>

/** The newsletter's form. Its fields keep what was typed until the sign-up has succeeded. */
export function NewsletterForm() {
  const toast = useToast()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(NOTHING_WRONG)
  const [isBusy, setIsBusy] = useState(false)

  async function subscribe(fields: HTMLFormControlsCollection) {
    const typed = { email: textOf(fields, 'email'), acceptsTerms: isTicked(fields, 'terms') }
    const found = judgeFooter(typed)
    setErrors(found)
    const first = found.email ?? found.terms
    if (first) {
      toast({ title: first, tone: 'destructive' })
      const wrong = fields.namedItem(found.email ? 'email' : 'terms')
      if (wrong instanceof HTMLElement) wrong.focus()
      return
    }
    const email = typed.email.trim().toLowerCase()
    const wantsNews = isTicked(fields, 'marketing')
    if ((await signUpForNews({ ...typed, email, wantsNews, source: 'footer' })) === 'known') {
      toast(alreadyListed)
      return
    }
    toast({ title: 'Thank you for subscribing!', description: wantsNews ? undefined : noNewsWanted })
    form.current?.reset()
  }

  async function submit() {
    if (isBusy || !form.current) return
    setIsBusy(true)
    try {
      await subscribe(form.current.elements)
    } catch (error) {
      console.error(error)
      toast({ title: 'Failed to subscribe. Please try again.', tone: 'destructive' })
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Form ref={form} className={styles.form} aria-labelledby="newsletter" onSubmit={() => void submit()}>
      <h2 id="newsletter" className={styles.heading}>
        News from the bench
      </h2>
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        inputMode="email"
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
      <Checkbox name="marketing" label={NEWS_CONSENT} />
      <Button type="submit" look="solid" className={styles.subscribe} disabled={isBusy}>
        {isBusy ? 'Subscribing...' : 'Subscribe'}
      </Button>
    </Form>
  )
}

function inputOf(fields: HTMLFormControlsCollection, name: string): HTMLInputElement | null {
  const field = fields.namedItem(name)
  return field instanceof HTMLInputElement ? field : null
}

const textOf = (fields: HTMLFormControlsCollection, name: string) => inputOf(fields, name)?.value ?? ''
const isTicked = (fields: HTMLFormControlsCollection, name: string) => inputOf(fields, name)?.checked ?? false
