import { html } from 'hono/html'
import { mailLinkWords } from '#domain/mail-link-words.ts'
import { mailPage } from '#emails/outbox/mail-page.ts'

/** What a mailed link opens that leads to another site. Link scanners press no buttons, so the link still works for its reader. */
export function confirmPage(type: string): string | Promise<string> {
  const { title, text } = mailLinkWords(type)
  const form = html`<p>${text}</p>
    <form method="post"><button>Continue</button></form>`
  return mailPage(title, form)
}
