import type { useToast } from '#app/ui/toaster.tsx'
import { alreadySubscribed, validateFooter, withoutNewsHint } from '#domain/validation/newsletter.ts'
import { signUpForNews } from './sign-up-for-news.ts'

export type FooterErrors = ReturnType<typeof validateFooter>

interface Answer {
  toast: ReturnType<typeof useToast>
  setErrors: (errors: FooterErrors) => void
}

/**
 * Validates the footer's form and signs the address up. Returns whether the form has done its work and can be cleared; throws when the
 * address is not kept. The form imports this on its first submit, because most visitors never send it.
 */
export async function subscribe(fields: HTMLFormControlsCollection, { toast, setErrors }: Answer) {
  const typed = { email: inputOf(fields, 'email')?.value ?? '', acceptsTerms: isTicked(fields, 'terms') }
  const found = validateFooter(typed)
  setErrors(found)
  const first = found.email ?? found.terms
  if (first) {
    toast({ title: first, tone: 'destructive' })
    inputOf(fields, found.email ? 'email' : 'terms')?.focus()
    return false
  }
  const email = typed.email.trim().toLowerCase()
  const wantsNews = isTicked(fields, 'marketing')
  if ((await signUpForNews({ ...typed, email, wantsNews, source: 'footer' })) === 'known') {
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
