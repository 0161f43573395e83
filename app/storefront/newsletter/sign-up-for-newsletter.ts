import { backendError, isUniqueViolation } from '#app/data/backend-error.ts'
import { callFunction, NoResponseError, queryBackend } from '#app/data/query-backend.ts'
import { mailLimited, notSignedUpForNews } from '#domain/validation/newsletter.ts'

export interface NewsletterSignUp {
  email: string
  source: 'popup' | 'footer'
  acceptsTerms: boolean
  wantsNews: boolean
}

export interface SignUpResult {
  /** The address had signed up before, or for the popup had claimed the code. */
  isKnown: boolean
  /** `none`: an address gets no e-mail when it is known and gives no consent, or when it has confirmed before. */
  mail: 'requested' | 'limited' | 'none' | 'failed'
}

/** The function checks the form of an address more strictly than the database. */
const ADDRESS_REFUSED = 400
/** The function finds every new address: this one has confirmed before. */
const NOTHING_TO_CONFIRM = 404

/** Addresses whose response was lost: the shop may have saved them, and then knows them at the next attempt. */
const unanswered = new Set<string>()

/**
 * Saves an address and, with consent, requests the e-mail that confirms it. Returns null when the shop refuses the form of the address,
 * which it checks more strictly than the pages, perhaps after it has saved it. Throws when the address is not saved.
 */
export async function signUpForNewsletter({
  email,
  source,
  acceptsTerms,
  wantsNews,
}: NewsletterSignUp): Promise<SignUpResult | null> {
  const isKnown = await queryBackend((backend) =>
    backend.from('newsletter_signups').insert({ email, source, accepted_terms: acceptsTerms }),
  ).then(
    () => false,
    (error: unknown) => {
      if (error instanceof NoResponseError) unanswered.add(email)
      if (isUniqueViolation(error)) return !unanswered.has(email)
      if (backendError(error)?.message.includes('"malformed_email"')) return null
      throw error
    },
  )
  if (isKnown === null) return null
  if (isKnown && !wantsNews) return { isKnown, mail: 'none' }
  try {
    const { isMailLimited } = await callFunction('send-newsletter-signup', {
      email,
      acceptedTerms: acceptsTerms,
      marketingOptIn: wantsNews,
    })
    return { isKnown, mail: isMailLimited ? 'limited' : 'requested' }
  } catch (error) {
    const status = refusalStatus(error)
    if (status === ADDRESS_REFUSED) return null
    if (status === NOTHING_TO_CONFIRM) return { isKnown, mail: 'none' }
    // The address is saved, so a missing welcome e-mail is only logged.
    console.error('the welcome e-mail was not requested', error)
    return { isKnown, mail: 'failed' }
  }
}

/** The status of a response of the function that is an error; its code is in the body, which the client leaves unread. */
function refusalStatus(error: unknown): number | null {
  const cause = error instanceof Error ? error.cause : null
  const response = cause instanceof Error && 'context' in cause ? cause.context : null
  return response instanceof Response ? response.status : null
}

/** Returns what a visitor who wants news must know beside the discount code, or null. */
export function newsProblem({
  wantsNews,
  mail,
}: Pick<NewsletterSignUp, 'wantsNews'> & Pick<SignUpResult, 'mail'>) {
  if (wantsNews && mail === 'failed') return { ...notSignedUpForNews, tone: 'destructive' } as const
  return wantsNews && mail === 'limited' ? mailLimited : null
}

/** Returns the address that a sign-up form contains, valid or not. */
export function typedEmail(fields: FormData): string {
  const typed = fields.get('email')
  return typeof typed === 'string' ? typed : ''
}
