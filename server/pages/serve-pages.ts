import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { TextResponse } from '#backend/http/text-response.ts'
import type { Keep } from '../context.ts'
import { refusalFor, refuse } from '../overload.ts'
import { pagePolicy } from '../protection.ts'
import type { Settings } from '../settings.ts'
import { followCatalogue, type NewsSource } from './catalogue-news.ts'
import { FinishedPage } from './finished-page.ts'
import { KeptUntilNews } from './kept-until-news.ts'
import { keptAddress } from './page-address.ts'
import { keepValues, type KeptValue } from './keep-values.ts'
import { keepReadings, type Reading } from './kept-readings.ts'
import { paintFirst, type StyleSheets } from './paint-first.ts'
import { sealPage } from './seal-page.ts'
import { createSender } from './send-page.ts'
import { createTurns, TooManyWaiting } from './take-turns.ts'

/** What was rendered for a visitor of whom nothing is known. */
interface Rendered {
  answer: Response
  /** The bytes of a page, which the answer lacks then. Other answers, such as data or a site map, have theirs. */
  page: Buffer | null
}

/** The nonce goes onto the page's inline scripts. */
type RenderPage = (request: Request, nonce: string) => Promise<Rendered>

interface PageParts extends Omit<NewsSource, 'onNews'> {
  settings: Settings
  styleSheets: StyleSheets
  render: RenderPage
  /** Asks the API, as a visitor of whom nothing is known. */
  ask: (request: Request) => Response | Promise<Response>
  log: Logger
}

export interface Pages {
  /** Any page, kept or rendered now, and what is made like one: data for browsers, a site map, what a form is answered. */
  answer(request: Request): Promise<Response>
  /** Sends a page, or refuses one that would be late, past everything else. False: it is none that is known, and nothing was sent. */
  send(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** What pages fetch from the API with. */
  read: typeof fetch
  /** Keeps what pages make of that. */
  keep: Keep
  /** Something was written by this process; pages that show it may not be sent again. */
  expectNews(): void
}

/** The address of a page: of no file, and of nothing that a service answers. */
const PAGE =
  /^\/(?!\/|(?:assets|auth\/v1|dev|functions|healthz|mail|payments|readyz|realtime|rest|simulator|storage)(?:[/?]|$))[^.?]*(?:\?|$)/

const READS = new Set<string | undefined>(['GET', 'HEAD'])

/** Enough for the pages of a few hundred lures, and for what is read for them. */
const KEEP_BYTES = { pages: 24 * 1024 * 1024, readings: 4 * 1024 * 1024, values: 4 * 1024 * 1024 }

export function createPages({ settings, styleSheets, render, ask, ...source }: PageParts): Pages {
  const news = followCatalogue({
    ...source,
    onNews() {
      kept.forgetAll()
      readings.forgetAll()
      values.forgetAll()
    },
  })
  const kept = new KeptUntilNews<FinishedPage>(news, KEEP_BYTES.pages)
  const readings = new KeptUntilNews<Reading>(news, KEEP_BYTES.readings)
  const values = new KeptUntilNews<KeptValue>(news, KEEP_BYTES.values)
  const turns = createTurns()
  const sender = createSender(settings, source.log)

  async function finish(request: Request, use: 'keptForAll' | 'sentOnce'): Promise<FinishedPage> {
    const nonce = randomBytes(16).toString('base64url')
    const { answer, page } = await render(request, nonce)
    const painted = page && (await paintFirst(page, { nonce, styleSheets }))
    const { html, allowed } = sealPage(painted ?? Buffer.from(await answer.arrayBuffer()), nonce)
    const headers = {
      // Kept by browsers, but asked after each time: the answer is a 304 without a body.
      'cache-control': 'public, no-cache',
      // Asks the browser to say how fast the connection is; pictures follow.
      'accept-ch': 'ECT',
      ...Object.fromEntries(answer.headers),
      ...(page && { 'content-security-policy': pagePolicy(allowed, settings) }),
    }
    return new FinishedPage({ status: answer.status, headers, use }, html)
  }

  function pageFor(request: Request): Promise<FinishedPage> {
    const { pathname, search } = new URL(request.url)
    const address = keptAddress(request.method, pathname + search)
    if (!address) return turns.take(() => finish(request, 'sentOnce'))
    // Made from the address alone, so that nothing of who asks first can be in what all get.
    const alone = new Request(new URL(address, settings.publicUrl))
    return kept.find(address, () => turns.take(() => finish(alone, 'keptForAll')))
  }

  /** Nobody is refused a page that others are waiting for as well. */
  function isToBeRefused(address: string | null): boolean {
    return turns.isFull() && !(address && kept.isBeingMade(address))
  }

  return {
    async answer(request) {
      try {
        return await responseOf(await pageFor(request), request)
      } catch (error) {
        if (!(error instanceof TooManyWaiting)) throw error
        const { body, ...init } = refusalFor(request.headers.get('accept'))
        return new TextResponse(body, init)
      }
    },
    send(incoming, outgoing) {
      const { method, url = '' } = incoming
      const asked = { incoming, outgoing, start: performance.now() }
      const address = keptAddress(method, url)
      const page = address && kept.atHand(address)
      if (page && sender.sendReady(page, asked)) return true
      if (!READS.has(method) || !PAGE.test(url)) return false
      if (!page && isToBeRefused(address)) return refuse(incoming, outgoing)
      void sender.sendSoon(pageFor(new Request(settings.publicUrl + url)), asked)
      return true
    },
    read: keepReadings(readings, ask),
    keep: keepValues(values),
    expectNews: () => news.expectNews(),
  }
}

async function responseOf(page: FinishedPage, request: Request): Promise<Response> {
  if (page.status === 200 && page.isKnownTo(request.headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers: page.headersOfUnchanged() })
  }
  const encoding = page.encodingFor(request.headers.get('accept-encoding'))
  const body = await page.body(encoding)
  const init = { status: page.status, headers: page.headersFor(encoding, body.byteLength) }
  const hasBody = request.method !== 'HEAD' && body.byteLength > 0
  return hasBody ? new TextResponse(body, init) : new Response(null, init)
}
