export const notAnAddress = {
  title: 'Valid email required',
  description: 'Please enter a valid email address.',
}
export const alreadyListed = { title: 'This address is already on our list.' }

/** Follows the thanks for a subscription without the box for news. */
export const noNewsWanted =
  "You haven't ticked the box for news, so we won't send any. Tick it and subscribe again if you change your mind."

export const alreadyClaimed = {
  title: 'Already claimed',
  description: 'This email has already claimed the discount.',
}

/** What the popup takes for an address, as it is kept; `null` when it is none. */
export function claimAddress(typed: string): string | null {
  const email = typed.trim().toLowerCase()
  return email.includes('@') ? email : null
}

export interface FooterSignUp {
  email: string
  acceptsTerms: boolean
}

/** What is missing in the footer's form, by field. */
export function validateFooter({ email, acceptsTerms }: FooterSignUp) {
  return {
    email:
      email.trim() === '' ? 'Please enter your email' : claimAddress(email) ? null : notAnAddress.description,
    terms: acceptsTerms ? null : 'Please accept the Terms & Conditions',
  }
}
