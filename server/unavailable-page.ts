import { unavailableResponse } from '@saltfreak/backend'
import { html } from 'hono/html'
import { MAIL_PAGE_HEADERS, mailPage } from '#emails/outbox/mail-page.ts'
import { shop } from '#shop'

export interface UnavailablePage {
  headers: Record<string, string>
  body: string
}

/** The 503 for browsers. It needs no script, no picture and no database. */
export async function unavailablePage(retryAfterSeconds: number): Promise<UnavailablePage> {
  const { phone, email } = shop.contact
  const content = html`<p>
      We can’t show this page right now. Your cart is saved on this device. Please try again in a minute.
    </p>
    <form><button>Try again</button></form>
    <p>
      Still stuck? Phone <a href="tel:${phone.replaceAll(' ', '')}">${phone}</a> or write to
      <a href="mailto:${email}">${email}</a>.
    </p>`
  return {
    headers: {
      ...MAIL_PAGE_HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Retry-After': String(retryAfterSeconds),
    },
    body: String(await mailPage('We’ll be right back', content)),
  }
}

/** Returns the 503 for an error that is temporary, as a page for browsers and as JSON for programs; null for other errors. */
export async function refuseUnavailable(
  error: unknown,
  accept: string | null | undefined,
): Promise<Response | null> {
  const refusal = unavailableResponse(error)
  if (!refusal || !accept?.includes('text/html')) return refusal
  const { headers, body } = await unavailablePage(Number(refusal.headers.get('Retry-After')))
  return new Response(body, { status: 503, headers })
}
