import { backendError } from '#app/data/backend-error.ts'
import { callFunction, queryBackend } from '#app/data/query-backend.ts'

export interface NewsletterSignUp {
  email: string
  source: 'popup' | 'footer'
  acceptsTerms: boolean
  wantsNews: boolean
}

const UNIQUE_VIOLATION = '23505'

/** Saves an address and, with consent, requests the welcome e-mail. Throws when the address is not saved. */
export async function signUpForNewsletter({
  email,
  source,
  acceptsTerms,
  wantsNews,
}: NewsletterSignUp): Promise<'signed-up' | 'known'> {
  const isKnown = await queryBackend((backend) =>
    backend.from('newsletter_signups').insert({ email, source, accepted_terms: acceptsTerms }),
  ).then(
    () => false,
    (error: unknown) => {
      if (backendError(error)?.code !== UNIQUE_VIOLATION) throw error
      return true
    },
  )
  if (isKnown && !wantsNews) return 'known'
  try {
    await callFunction('send-newsletter-signup', {
      email,
      acceptedTerms: acceptsTerms,
      marketingOptIn: wantsNews,
    })
  } catch (error) {
    if (isKnown) return 'known'
    // The address is saved, so a missing welcome e-mail is only logged.
    console.error('the welcome e-mail was not requested', error)
  }
  return 'signed-up'
}

/** Returns the address that a sign-up form contains, valid or not. */
export function typedEmail(fields: FormData): string {
  const typed = fields.get('email')
  return typeof typed === 'string' ? typed : ''
}
