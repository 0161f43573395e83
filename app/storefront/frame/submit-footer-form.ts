import type { useToast } from '#app/ui/toaster.tsx'
import {
  alreadySubscribed,
  invalidEmailError,
  mailLimited,
  validateFooter,
  withoutNewsHint,
} from '#domain/validation/newsletter.ts'
import { signUpForNewsletter, typedEmail } from '../newsletter/sign-up-for-newsletter.ts'

export type FooterErrors = ReturnType<typeof validateFooter>

interface Feedback {
  toast: ReturnType<typeof useToast>
  setErrors: (errors: FooterErrors) => void
  /** Whether the visitor has not moved on since the press. */
  isStillThere: () => boolean
}

/**
 * Validates `fields` of the footer's form, signs the address up and clears the form; throws when the address is not saved, or wants
 * news and the e-mail that confirms it was not requested. The form imports this on its first submit, because most visitors never
 * send it.
 */
export async function submitFooterForm(
  form: HTMLFormElement,
  fields: FormData,
  { toast, setErrors, isStillThere }: Feedback,
): Promise<void> {
  const typed = { email: typedEmail(fields), acceptsTerms: fields.has('terms') }
  const hasErrors = (errors: FooterErrors) => {
    setErrors(errors)
    const first = errors.email ?? errors.terms
    if (!first) return false
    toast({ title: first, tone: 'destructive' })
    if (isStillThere()) form.querySelector<HTMLElement>(`[name=${errors.email ? 'email' : 'terms'}]`)?.focus()
    return true
  }
  if (hasErrors(validateFooter(typed))) return
  const email = typed.email.trim().toLowerCase()
  const wantsNews = fields.has('marketing')
  const signedUp = await signUpForNewsletter({ ...typed, email, wantsNews, source: 'footer' })
  if (!signedUp) return void hasErrors({ email: invalidEmailError.description, terms: null })
  const { mail } = signedUp
  if (wantsNews && mail === 'failed')
    throw new Error('the e-mail that confirms the newsletter was not requested')
  if (mail === 'none') return toast(alreadySubscribed)
  if (mail === 'limited') return toast(mailLimited)
  toast({ title: 'Thank you for subscribing!', description: wantsNews ? undefined : withoutNewsHint })
  // Keeps what was typed while the request was running.
  if (JSON.stringify([...new FormData(form)]) === JSON.stringify([...fields])) form.reset()
}
