import { html, raw } from 'hono/html'

import { colour, darkColour, fontFaces, pageFont } from '#domain/brand.ts'
import { shop } from '#shop'

/** Forbids scripts and caching: the URL of the page contains a secret. */
export const MAIL_PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; form-action 'self'",
  'Cache-Control': 'no-store',
}

/** A page that a link in a mail opens, or that replaces a page of the shop. It works without scripts. `head`: further elements of its head. */
export function mailPage(title: string, content: unknown, head: unknown = '') {
  return htmlPage({ title, tab: `${title} · ${shop.name}`, header: shop.name, style: STYLE, head, content })
}

interface HtmlPage {
  title: string
  /** The title of the browser's tab. */
  tab: string
  header: string
  style: string
  head?: unknown
  content: unknown
}

/** A page without scripts, outside the build. */
export function htmlPage({ title, tab, header, style, head = '', content }: HtmlPage) {
  return html`<!doctype html>
    <html lang="en-ZA">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${tab}</title>
        <style>
          ${raw(style)}
        </style>
        ${head}
      </head>
      <body>
        <header>${header}</header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`
}

const STYLE = `${fontFaces}
  :root { color-scheme: light dark; --focus: ${colour.focus}; }
  body { margin: 0; background: ${colour.paper}; color: ${colour.ink}; font: 17px/1.5 ${pageFont.text}; }
  header { background: ${colour.sea}; color: ${colour.onDark}; padding: 18px 24px; font: 800 30px/1 ${pageFont.display}; letter-spacing: .04em; text-transform: uppercase; }
  main { max-width: 520px; margin: 24px auto; padding: 8px 24px; }
  h1 { font: 800 40px/1.05 ${pageFont.display}; }
  a { color: inherit; }
  button, .button { display: inline-block; box-sizing: border-box; min-height: 48px; padding: 10px 22px; text-decoration: none; border: 0; border-radius: 4px; background: ${colour.action}; color: ${colour.onAction}; font: inherit; font-weight: 700; cursor: pointer; }
  button:focus-visible, a:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
  @media (prefers-color-scheme: dark) { :root { --focus: ${darkColour.focus}; } body { background: ${darkColour.page}; color: ${colour.onDark}; } button, .button { background: ${colour.action}; color: ${colour.onAction}; } }
`
