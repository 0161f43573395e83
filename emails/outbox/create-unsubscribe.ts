/**
 * The link of every marketing mail. A mail program that knows RFC 8058 posts to it; a person who follows
 * it sees a page with one button, because programs that look ahead follow links too and must end nothing.
 */
import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Pool } from 'pg'

import { shop } from '#shop'

/** Mounted at UNSUBSCRIBE_PATH. */
export function createUnsubscribe(owner: Pool): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
    c.header('Cache-Control', 'no-store')
  })
  app.get('/:id{[0-9a-f-]{36}}', (c) => c.html(askingPage()))
  app.post('/:id{[0-9a-f-]{36}}', async (c) => {
    const { rows } = await owner.query<{ is_known: boolean }>(
      `select coalesce(bool_or(private.unsubscribe(s.id)), false) as is_known
       from public.newsletter_signups s where s.id::text = $1`,
      [c.req.param('id')],
    )
    return rows[0]?.is_known ? c.html(donePage()) : c.html(unknownPage(), 404)
  })
  return app
}

function askingPage() {
  return page(
    'Unsubscribe',
    html`<p>No more news and offers from ${shop.name}. Mails about your orders still come.</p>
      <form method="post"><button>Unsubscribe</button></form>`,
  )
}

function donePage() {
  return page(
    'You are off the list',
    html`<p>We will not send you news and offers again. <a href="/">Back to the shop</a></p>`,
  )
}

function unknownPage() {
  return page(
    'This link is not known',
    html`<p>
      Write to <a href="mailto:${shop.contact.email}">${shop.contact.email}</a> and we take you off the list.
    </p>`,
  )
}

function page(title: string, content: unknown) {
  return html`<!doctype html>
    <html lang="en-ZA">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${shop.name}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <header>${shop.name}</header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0; background: #f3f6f7; color: #14242c; font: 17px/1.5 'Hanken Grotesk Variable', system-ui, sans-serif; }
  header { background: #0b1c24; color: #f3f6f7; padding: 18px 24px; font: 800 30px/1 'Sofia Sans Extra Condensed Variable', 'Arial Narrow', Impact, sans-serif; letter-spacing: .04em; text-transform: uppercase; }
  main { max-width: 520px; margin: 24px auto; padding: 8px 24px; }
  h1 { font: 800 40px/1.05 'Sofia Sans Extra Condensed Variable', 'Arial Narrow', Impact, sans-serif; }
  button { min-height: 48px; padding: 10px 22px; border: 0; border-radius: 8px; background: #c23a10; color: #fff; font: inherit; font-weight: 700; cursor: pointer; }
  button:focus-visible, a:focus-visible { outline: 3px solid #2a8fb0; outline-offset: 2px; }
  a { color: inherit; }
  @media (prefers-color-scheme: dark) { body { background: #0b141a; color: #eef3f5; } button { background: #ff7a4d; color: #14232b; } }
`
