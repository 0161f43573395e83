import { html } from 'hono/html'
import { mailPage } from '#emails/outbox/mail-page.ts'
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
    text: 'You have asked for a new password. Go on, and you choose it.',
  },
  signup: { title: 'Confirm your e-mail', text: 'One press, and your account is ready.' },
  invite: { title: 'Open your account', text: `An account at ${shop.name} is waiting for you.` },
  email_change: {
    title: 'Confirm this address',
    text: 'You have asked to use another e-mail address for your account. Go on if that was you.',
  },
}

/** What a mailed link opens. Programs that look into links press no buttons, so the link is still good for its reader. */
export function confirmPage(type: string): string | Promise<string> {
  const { title, text } = WORDS[type] ?? OTHER
  const form = html`<p>${text}</p>
    <form method="post"><button>Continue</button></form>`
  return mailPage(title, form)
}
