import { html } from 'hono/html'
import { mailLinkWords } from '#domain/mail-link-words.ts'
import { mailPage } from '#emails/outbox/mail-page.ts'

/** The page for e-mail links that lead to another site. Its button keeps link scanners from using up the link. */
export function confirmPage(type: string): string | Promise<string> {
  const { title, text } = mailLinkWords(type)
  const form = html`<p>${text}</p>
    <form method="post"><button>Continue</button></form>`
  return mailPage(title, form)
}
