import type { useToast } from '#app/ui/toaster.tsx'
import { alreadySubscribed, validateFooter, withoutNewsHint } from '#domain/validation/newsletter.ts'
import { signUpForNewsletter } from '../newsletter/sign-up-for-newsletter.ts'

export type FooterErrors = ReturnType<typeof validateFooter>

interface Feedback {
  toast: ReturnType<typeof useToast>
  setErrors: (errors: FooterErrors) => void
}

/**
 * Validates the footer's form and signs the address up. Returns true when the form can be cleared; throws when the address is
 * not saved. The form imports this on its first submit, because most visitors never send it.
 */
export async function submitFooterForm(fields: HTMLFormControlsCollection, { toast, setErrors }: Feedback) {
  const typed = { email: inputOf(fields, 'email')?.value ?? '', acceptsTerms: isTicked(fields, 'terms') }
  const errors = validateFooter(typed)
  setErrors(errors)
  const first = errors.email ?? errors.terms
  if (first) {
    toast({ title: first, tone: 'destructive' })
    inputOf(fields, errors.email ? 'email' : 'terms')?.focus()
    return false
  }
  const email = typed.email.trim().toLowerCase()
  const wantsNews = isTicked(fields, 'marketing')
  if ((await signUpForNewsletter({ ...typed, email, wantsNews, source: 'footer' })) === 'known') {
    toast(alreadySubscribed)
    return false
  }
  toast({ title: 'Thank you for subscribing!', description: wantsNews ? undefined : withoutNewsHint })
  return true
}

function inputOf(fields: HTMLFormControlsCollection, name: string): HTMLInputElement | null {
  const field = fields.namedItem(name)
  return field instanceof HTMLInputElement ? field : null
}

const isTicked = (fields: HTMLFormControlsCollection, name: string) => inputOf(fields, name)?.checked ?? false
