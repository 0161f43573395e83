/**
 * The links that end mails, and the one that confirms consent to them. A mail program that knows RFC 8058 posts to them; a person who follows one sees a page
 * with one button, because programs that look ahead follow links too and must end nothing.
 */
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Pool } from 'pg'

import { shop } from '#shop'

import { MAIL_PAGE_HEADERS, mailPage } from './mail-page.ts'

interface Ending {
  title: string
  /** What the button does, and what it leaves. */
  explanation: string
  ended: { title: string; explanation: string }
  /** Answers whether the link is known; ending twice is ending once. */
  sql: string
}

/** Mounted at UNSUBSCRIBE_PATH: no more marketing. */
const NEWSLETTER: Ending = {
  title: 'Unsubscribe',
  explanation: `No more news and offers from ${shop.name}. Mails about your orders still come.`,
  ended: { title: 'You are off the list', explanation: 'We will not send you news and offers again.' },
  sql: 'select private.unsubscribe_by_link($1) as is_known',
}

/** Mounted at CONFIRM_NEWS_PATH: consent to marketing, from the mailbox itself. */
const CONFIRMATION: Ending = {
  title: 'Confirm',
  explanation: `Yes, I want news and offers from ${shop.name} by e-mail. I can stop at any time.`,
  ended: { title: 'Thank you', explanation: 'You’re on the list.' },
  sql: 'select private.confirm_subscription($1) as is_known',
}

/** Mounted at STOCK_ALERTS_PATH: nothing that waits for this address is mailed. */
const STOCK_ALERTS: Ending = {
  title: 'No more stock mails',
  explanation: 'Whatever this address still waits for, we send no mail when it is back.',
  ended: { title: 'No more stock mails', explanation: 'Nothing waits for this address any more.' },
  sql: 'select coalesce(bool_or(private.cancel_stock_alerts(a.id)), false) as is_known from public.stock_alerts a where a.id::text = $1',
}

export function createUnsubscribe(owner: Pool): Hono {
  return endingPages(owner, NEWSLETTER)
}

export function createNewsConfirmation(owner: Pool): Hono {
  return endingPages(owner, CONFIRMATION)
}

export function createStockAlertsEnd(owner: Pool): Hono {
  return endingPages(owner, STOCK_ALERTS)
}

function endingPages(owner: Pool, { title, explanation, ended, sql }: Ending): Hono {
  const app = new Hono()
  app.get('/:id{[0-9a-f-]{36,64}}', (c) => {
    const form = html`<p>${explanation}</p>
      <form method="post"><button>${title}</button></form>`
    return c.html(mailPage(title, form), 200, MAIL_PAGE_HEADERS)
  })
  app.post('/:id{[0-9a-f-]{36,64}}', async (c) => {
    const { rows } = await owner.query<{ is_known: boolean }>(sql, [c.req.param('id')])
    if (!rows[0]?.is_known) return c.html(unknownPage(), 404, MAIL_PAGE_HEADERS)
    const done = html`<p>${ended.explanation} <a href="/">Back to the shop</a></p>`
    return c.html(mailPage(ended.title, done), 200, MAIL_PAGE_HEADERS)
  })
  return app
}

function unknownPage() {
  return mailPage(
    'This link is not known',
    html`<p>
      Write to <a href="mailto:${shop.contact.email}">${shop.contact.email}</a> and we take you off the list.
    </p>`,
  )
}
