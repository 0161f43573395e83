import { loadBackend } from '#app/session/backend.ts'

export interface NewsSignUp {
  email: string
  source: 'popup' | 'footer'
  acceptsTerms: boolean
  wantsNews: boolean
}

/** What the database says to an address that is on the list. */
const TAKEN = '23505'

/** Puts an address on the list and, with consent, has it welcomed. Throws when it is not kept. */
export async function signUpForNews({
  email,
  source,
  acceptsTerms,
  wantsNews,
}: NewsSignUp): Promise<'signed-up' | 'known'> {
  const client = await loadBackend()
  const { error } = await client
    .from('newsletter_signups')
    .insert({ email, source, accepted_terms: acceptsTerms })
  const isKnown = error?.code === TAKEN
  if (error && !isKnown) throw error
  if (isKnown && !wantsNews) return 'known'

  const welcome = await client.functions.invoke('send-newsletter-signup', {
    body: { email, acceptedTerms: acceptsTerms, marketingOptIn: wantsNews },
  })
  if (!welcome.error) return 'signed-up'
  if (isKnown) return 'known'
  // The address is kept whether or not the welcome goes out.
  console.error('the welcome e-mail was not requested', welcome.error)
  return 'signed-up'
}
