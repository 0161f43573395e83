import { shop } from '#shop'

interface LinkText {
  title: string
  text: string
}

const SIGN_IN: LinkText = { title: 'Sign in', text: `Continue to sign in to ${shop.name}.` }

/** By the `type` parameter of the auth service's link. */
const TEXTS: Record<string, LinkText> = {
  recovery: {
    title: 'Choose a new password',
    text: 'You asked for a new password. Continue to choose it.',
  },
  signup: {
    title: 'Confirm your e-mail',
    text: 'Continue to confirm your address and open your account. If you didn’t sign up, close this page.',
  },
  invite: { title: 'Open your account', text: `An account at ${shop.name} is waiting for you.` },
  email_change: {
    title: 'Confirm this address',
    text: 'You asked to use another e-mail address for your account. Continue if that was you.',
  },
}

/** Title and text of the page that a mailed link opens. */
export function mailLinkText(type: string): LinkText {
  return TEXTS[type] ?? SIGN_IN
}
