import { html } from 'hono/html'
import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { tryConsumeRateLimit, creditRateLimit } from '#backend/auth/limits/rate-limit.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import { MAIL_PAGE_HEADERS, mailPage } from '#emails/outbox/mail-page.ts'
import { shopLimits } from './limits.ts'

/**
 * Mounted in front of the pages that links in mails open. A POST counts as a wrong guess until its answer says that the link exists, so
 * guesses sent at once are all counted. A GET does not look at the link and tells nothing about it.
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
      Too many links that don’t work were opened from your network. Please wait a few minutes, then open the
      link from your e-mail again.
    </p>`,
  )
}
