import { html } from 'hono/html'
import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { creditRateLimit, type EdgeVariables, tryConsumeRateLimit } from '@saltfreak/backend'
import { MAIL_PAGE_HEADERS, mailPage } from '#emails/outbox/mail-page.ts'
import { shopLimits } from './limits.ts'

/**
 * Rate-limits guesses at the links in e-mails. A POST counts as a wrong guess until its response shows that the link exists,
 * so concurrent guesses are all counted. A GET does not look up the link.
 */
export function limitMailLinks(owner: Pool) {
  return createMiddleware<{ Variables: EdgeVariables }>(async (c, next) => {
    if (c.req.method !== 'POST') return next()

    const guess = { ...shopLimits.wrongMailLink, subject: c.get('remoteAddress') ?? 'unknown' }
    if (!(await tryConsumeRateLimit(owner, guess))) return c.html(tooManyPage(), 429, MAIL_PAGE_HEADERS)
    await next()
    if (c.res.status !== 404) await creditRateLimit(owner, guess)
  })
}

function tooManyPage() {
  return mailPage(
    'Too many attempts',
    html`<p>
      Your network has opened too many invalid links. Please wait a few minutes, then open the link in your
      e-mail again.
    </p>`,
  )
}
