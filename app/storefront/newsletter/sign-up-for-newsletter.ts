import { loadBackend } from '#app/data/backend.ts'

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
  const client = await loadBackend()
  const { error } = await client
    .from('newsletter_signups')
    .insert({ email, source, accepted_terms: acceptsTerms })
  const isKnown = error?.code === UNIQUE_VIOLATION
  if (error && !isKnown) throw error
  if (isKnown && !wantsNews) return 'known'

  const welcome = await client.functions.invoke('send-newsletter-signup', {
    body: { email, acceptedTerms: acceptsTerms, marketingOptIn: wantsNews },
  })
  if (!welcome.error) return 'signed-up'
  if (isKnown) return 'known'
  // The address is saved, so a missing welcome e-mail is only logged.
  console.error('the welcome e-mail was not requested', welcome.error)
  return 'signed-up'
}
