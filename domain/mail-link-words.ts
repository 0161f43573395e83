import { shop } from '#shop'

interface Words {
  title: string
  text: string
}

const OTHER: Words = { title: 'Sign in', text: `One press, and you are signed in at ${shop.name}.` }

/** By the type of the link, as the accounts service names it. */
const WORDS: Record<string, Words> = {
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

/** What the page of a mailed link says before its button is pressed. */
export function mailLinkWords(type: string): Words {
  return WORDS[type] ?? OTHER
}
