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
  body { margin: 0; background: #f4f7f9; color: #0e1d24; font: 17px/1.5 'Hanken Grotesk Variable', system-ui, sans-serif; }
  header { background: #091d25; color: #eff5f6; padding: 18px 24px; font: 800 30px/1 'Big Shoulders Display Variable', 'Big Shoulders Display', 'Arial Narrow', Impact, sans-serif; letter-spacing: .04em; text-transform: uppercase; }
  main { max-width: 520px; margin: 24px auto; padding: 8px 24px; }
  h1 { font: 800 40px/1.05 'Big Shoulders Display Variable', 'Big Shoulders Display', 'Arial Narrow', Impact, sans-serif; }
  button { min-height: 48px; padding: 10px 22px; border: 0; border-radius: 8px; background: #fd6a3a; color: #200e0c; font: inherit; font-weight: 700; cursor: pointer; }
  button:focus-visible, a:focus-visible { outline: 3px solid #2a8fb0; outline-offset: 2px; }
  a { color: inherit; }
  @media (prefers-color-scheme: dark) { body { background: #05141b; color: #eff5f6; } button { background: #fd6a3a; color: #200e0c; } }
`
