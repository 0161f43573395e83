import type { Context } from 'hono'
import { html } from 'hono/html'

import type { AuthContext } from '../auth-context.ts'
import { redirectOf, siteUrl } from './redirects.ts'

/**
 * GET /confirm: a page with one button. Virus scanners that open mailed links do not press it, so they cannot consume the link.
 */
export async function showConfirmPage(auth: AuthContext, c: Context): Promise<Response> {
  const { settings } = auth
  setPageHeaders(c)
  const target = redirectOf(auth, c)
  if (settings.linkPage && new URL(target).origin === new URL(siteUrl(auth)).origin) {
    const { token = '', type = '' } = c.req.query()
    const link = new URLSearchParams({ token_hash: token, type, redirect_to: target })
    return c.redirect(`${new URL(settings.linkPage, target).href}#${link}`, 303)
  }
  return c.html(await (settings.confirmPage ?? plainConfirmPage)(c.req.query('type') ?? ''))
}

/** The 429 page for networks that followed too many wrong links. */
export function tooManyLinks(c: Context): Response | Promise<Response> {
  setPageHeaders(c)
  return c.html(
    plainPage(
      'Too many attempts',
      html`<h1>Too many attempts</h1>
        <p>
          Your network has opened too many invalid links. Please wait a few minutes, then open the link in
          your e-mail again.
        </p>`,
    ),
    429,
  )
}

function setPageHeaders(c: Context): void {
  c.header('Cache-Control', 'no-store')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
}

function plainConfirmPage() {
  return plainPage(
    'One more step',
    html`<form method="post">
      <h1>One more step</h1>
      <p>Continue to confirm that you requested this e-mail.</p>
      <button>Continue</button>
    </form>`,
  )
}

function plainPage(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          body {
            font:
              1.125rem/1.5 system-ui,
              sans-serif;
            display: grid;
            place-items: center;
            min-height: 90vh;
            margin: 1rem;
            text-align: center;
          }
          button {
            font: inherit;
            padding: 0.75rem 2rem;
          }
        </style>
      </head>
      <body>
        ${content}
      </body>
    </html>`
}
