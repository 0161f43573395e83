import { html, raw } from 'hono/html'

import { shop } from '#shop'

/** Links in mails may be used from anywhere; what they open holds no scripts and is kept by nobody. */
export const MAIL_PAGE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
  'Cache-Control': 'no-store',
}

/** A page that a link in a mail opens, complete without scripts. */
export function mailPage(title: string, content: unknown) {
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
