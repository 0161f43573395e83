export const invalidEmailError = {
  title: 'Valid email required',
  description: 'Please enter a valid email address.',
}
export const alreadySubscribed = { title: 'This address is already on our list.' }

/** Shown instead of thanks when no link to confirm the subscription is mailed. */
export const mailLimited = {
  title: 'Check your inbox',
  description:
    'We’ve already e-mailed this address, so we won’t send another link now. Look in your spam folder too.',
}

/** Shown beside the discount code of a visitor who wants news. */
export const notSignedUpForNews = {
  title: 'Not signed up for news',
  description:
    'Here is your code, but we couldn’t sign you up. Please subscribe again at the bottom of any page.',
}

/** Shown after a subscription without the box for news. */
export const withoutNewsHint =
  "You haven't ticked the box for news, so we won't send any. Tick it and subscribe again if you change your mind."

export const alreadyClaimed = {
  title: 'Already claimed',
  description: 'This email has already claimed the discount.',
}

/** Returns the address trimmed and in lower case, or `null` without an @. */
export function parseEmail(typed: string): string | null {
  const email = typed.trim().toLowerCase()
  return email.includes('@') ? email : null
}

export interface FooterSignUp {
  email: string
  acceptsTerms: boolean
}

/** Returns the error of each field, or `null`. */
export function validateFooter({ email, acceptsTerms }: FooterSignUp) {
  return {
    email:
      email.trim() === ''
        ? 'Please enter your email'
        : parseEmail(email)
          ? null
          : invalidEmailError.description,
    terms: acceptsTerms ? null : 'Please accept the Terms & Conditions',
  }
}
