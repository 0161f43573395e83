import { unavailableResponse } from '@saltfreak/backend'
import { html } from 'hono/html'
import { shop } from '#shop'
import { retryPage, type RetryPage } from './retry-page.ts'

/** The 503 for browsers while the database is away. */
export function unavailablePage(retryAfterSeconds: number): RetryPage {
  const { phone, email } = shop.contact
  const content = html`<p>
      We can’t show this page right now. Nothing in your cart is lost. This page tries again by itself and
      opens as soon as it can.
    </p>
    <p><a class="button" href="">Try again</a></p>
    <p class="note">
      Still stuck? Phone <a href="tel:${phone.replaceAll(' ', '')}">${phone}</a> or write to
      <a href="mailto:${email}">${email}</a>.
    </p>`
  return retryPage({ title: 'We’ll be right back', content, retryAfterSeconds })
}

/** Returns the 503 for an error that is temporary, as a page for browsers and as JSON for programs; null for other errors. */
export function refuseUnavailable(error: unknown, accept: string | null | undefined): Response | null {
  const refusal = unavailableResponse(error)
  if (!refusal || !accept?.includes('text/html')) return refusal
  const { headers, body } = unavailablePage(Number(refusal.headers.get('Retry-After')))
  return new Response(body, { status: 503, headers })
}
