import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { MAIL_PAGE_HEADERS, mailPage } from '#emails/outbox/mail-page.ts'

export interface RetryPage {
  headers: Record<string, string>
  body: string
}

interface RetryPageContent {
  title: string
  content: unknown
  retryAfterSeconds: number
  /** Rules besides those of the pages that mails link to. */
  style?: string
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

/** A 503 for browsers that opens the page by itself once it can. It needs no file of the build, no picture and no database. */
export function retryPage({ title, content, retryAfterSeconds, style = '' }: RetryPageContent): RetryPage {
  const script = `(${retryLoad.toString()})(${retryAfterSeconds * 1000}, ${MAX_PAUSE_MS})`
  const hash = createHash('sha256').update(script).digest('base64')
  const refresh = html`<noscript
    ><meta http-equiv="refresh" content="${Math.max(REFRESH_SECONDS, retryAfterSeconds)}"
  /></noscript>`
  // Without spaces around the source, which the hash would have to include.
  const page = mailPage(
    title,
    [content, raw(`<script>${script}</script>`)],
    [refresh, raw(style && `<style>${style}</style>`)],
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
