/**
 * The links that end mails, and the one that confirms consent to them. Mail programs post to them (RFC 8058 one-click unsubscribe).
 * A person who opens one sees a page with one button: link scanners open links too, so a GET must not change anything.
 */
import { selectRows } from '@saltfreak/backend'
import { Hono } from 'hono'
import { z } from 'zod'
import { html } from 'hono/html'
import type { Pool } from 'pg'

import { shop } from '#shop'

import { MAIL_PAGE_HEADERS, mailPage } from './mail-page.ts'

interface LinkAction {
  /** Heading of the page and label of its button. */
  title: string
  explanation: string
  done: { title: string; explanation: string }
  /** What to do instead when the link is not known. */
  advice: unknown
  /** Idempotent; returns whether the link is known. */
  sql: string
}

const WRITE_TO_US = html`Write to <a href="mailto:${shop.contact.email}">${shop.contact.email}</a>`

/** Mounted at UNSUBSCRIBE_PATH. */
const NEWSLETTER: LinkAction = {
  title: 'Unsubscribe',
  explanation: `You won’t get any more news and offers from ${shop.name}. We’ll still e-mail you about your orders.`,
  done: { title: 'You’re unsubscribed', explanation: 'We won’t send you any more news and offers.' },
  advice: html`${WRITE_TO_US} and we’ll take you off the list.`,
  sql: 'select private.unsubscribe_by_link($1) as is_known',
}

/** Mounted at CONFIRM_NEWS_PATH: the double opt-in. */
const CONFIRMATION: LinkAction = {
  title: 'Confirm',
  explanation: `Yes, I want news and offers from ${shop.name} by e-mail. I can unsubscribe at any time.`,
  done: { title: 'Thank you', explanation: 'You’re on the list.' },
  advice: 'This link has expired, or a newer one was mailed. Open the newest e-mail, or subscribe again.',
  sql: 'select private.confirm_subscription($1) as is_known',
}

/** Mounted at STOCK_ALERTS_PATH. */
const STOCK_ALERTS: LinkAction = {
  title: 'Stop stock alerts',
  explanation: 'We’ll cancel all stock alerts for your e-mail address.',
  done: {
    title: 'Stock alerts stopped',
    explanation: 'We have cancelled all stock alerts for your e-mail address.',
  },
  advice: html`${WRITE_TO_US} and we’ll cancel your stock alerts.`,
  sql: 'select coalesce(bool_or(private.cancel_stock_alerts(a.id)), false) as is_known from public.stock_alerts a where a.id::text = $1',
}

export function createUnsubscribePage(owner: Pool): Hono {
  return createLinkPages(owner, NEWSLETTER)
}

export function createConfirmationPage(owner: Pool): Hono {
  return createLinkPages(owner, CONFIRMATION)
}

export function createStockAlertPage(owner: Pool): Hono {
  return createLinkPages(owner, STOCK_ALERTS)
}

const linkRow = z.object({ is_known: z.boolean().nullable() })

function createLinkPages(owner: Pool, { title, explanation, done, advice, sql }: LinkAction): Hono {
  const app = new Hono()
  app.get('/:id{[0-9a-f-]{36,64}}', (c) => {
    const form = html`<p>${explanation}</p>
      <form method="post"><button>${title}</button></form>`
    return c.html(mailPage(title, form), 200, MAIL_PAGE_HEADERS)
  })
  app.post('/:id{[0-9a-f-]{36,64}}', async (c) => {
    const [link] = await selectRows(owner, linkRow, [sql, c.req.param('id')])
    if (!link?.is_known) {
      return c.html(mailPage('This link doesn’t work', html`<p>${advice}</p>`), 404, MAIL_PAGE_HEADERS)
    }
    const thanks = html`<p>${done.explanation} <a href="/">Back to the shop</a></p>`
    return c.html(mailPage(done.title, thanks), 200, MAIL_PAGE_HEADERS)
  })
  return app
}
