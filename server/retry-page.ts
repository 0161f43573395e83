import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { colour, darkColour, pageFont } from '#domain/brand.ts'
import { MAIL_PAGE_HEADERS, mailPage } from '#emails/outbox/mail-page.ts'

export interface RetryPage {
  headers: Record<string, string>
  body: string
}

interface RetryPageContent {
  title: string
  content: unknown
  retryAfterSeconds: number
}

/**
 * Asks for the page again until the shop answers with it, and loads it then. Visitors do not ask at the same moment, and less often
 * the longer it takes.
 *
 * The page carries this function's source inline, so it must not reference anything outside itself.
 */
function retryLoad(firstMs: number, maxMs: number): void {
  let pauseMs = firstMs
  const later = () => {
    setTimeout(() => void attempt(), pauseMs * (0.75 + Math.random() / 2))
    pauseMs = Math.min(pauseMs * 1.3, maxMs)
  }
  const attempt = async () => {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(
      () => null,
    )
    if (answer && answer.status !== 503) location.reload()
    else later()
  }
  later()
}

const MAX_PAUSE_MS = 15_000

/** Without scripts. The browser waits for the whole time, so this is longer than the first pause of the script. */
const REFRESH_SECONDS = 10

/** The dark sea of the shop's first screen, in every colour scheme. */
const STYLE = `
  :root { color-scheme: dark; --focus: ${darkColour.focus}; }
  body { display: grid; grid-template-rows: auto 1fr; min-height: 100vh; background: ${colour.sea}; color: ${colour.onDark}; }
  header, main { padding-inline: clamp(20px, 6vw, 96px); }
  main { align-self: center; box-sizing: border-box; width: 100%; max-width: 1100px; margin: 0; padding-block: 32px 12vh; }
  h1 { margin: 28px 0; font: 850 clamp(48px, 10vw, 112px)/.94 ${pageFont.display}; text-transform: uppercase; text-wrap: balance; }
  p { max-width: 36em; font-size: 19px; }
  .note { margin-bottom: 32px; color: ${colour.mutedOnDark}; }
  .wave { width: 160px; height: 4px; background: ${darkColour.line}; overflow: hidden; }
  .wave::before { content: ''; display: block; width: 40%; height: 100%; background: ${colour.action}; animation: drift 1.4s ease-in-out infinite alternate; }
  @keyframes drift { to { transform: translateX(150%); } }
  @media (prefers-reduced-motion: reduce) { .wave::before { animation: none; } }`

/** A 503 for browsers that opens the page by itself once it can. It needs no file of the build, no picture and no database. */
export function retryPage({ title, content, retryAfterSeconds }: RetryPageContent): RetryPage {
  const script = `(${retryLoad.toString()})(${retryAfterSeconds * 1000}, ${MAX_PAUSE_MS})`
  const hash = createHash('sha256').update(script).digest('base64')
  const refresh = html`<noscript
    ><meta http-equiv="refresh" content="${Math.max(REFRESH_SECONDS, retryAfterSeconds)}"
  /></noscript>`
  // Without spaces around the source, which the hash would have to include.
  const page = mailPage(
    title,
    [html`<div class="wave"></div>`, content, raw(`<script>${script}</script>`)],
    [refresh, raw(`<style>${STYLE}</style>`)],
  )
  return {
    headers: {
      ...MAIL_PAGE_HEADERS,
      'Content-Security-Policy': `${MAIL_PAGE_HEADERS['Content-Security-Policy']}; script-src 'sha256-${hash}'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'`,
      'Content-Type': 'text/html; charset=utf-8',
      'Retry-After': String(retryAfterSeconds),
    },
    // oxlint-disable-next-line typescript/no-base-to-string -- a template without promises is a string
    body: String(page),
  }
}
