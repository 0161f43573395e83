import { html } from 'hono/html'
import { mailLinkText } from '#domain/mail-link-text.ts'
import { mailPage } from '#emails/outbox/mail-page.ts'

/** The page for e-mail links that lead to another site. Its button keeps link scanners from using up the link. */
export function confirmPage(type: string): string | Promise<string> {
  const { title, text } = mailLinkText(type)
  const form = html`<p>${text}</p>
    <form method="post"><button>Continue</button></form>`
  return mailPage(title, form)
}
