import type { Logger } from 'pino'
import type { DatabasePools } from '@saltfreak/backend'
import { canResize, PAGE_WIDTHS, pictureUrl } from '#domain/picture-sizes.ts'
import type { RenderedPage } from './rendered-page.ts'
import { type Launch, watchLaunches } from './watch-launches.ts'

interface Source {
  database: DatabasePools
  log: Pick<Logger, 'warn'>
  closing?: AbortSignal | undefined
}

interface Preparation {
  origin: string
  callApi: (request: Request) => Response | Promise<Response>
  renderPage: (request: Request) => Promise<RenderedPage>
  /** The notification of the publication may be on its way: pages that are rendered before it would be dropped. */
  noteWrite: () => void
}

/** The formats that browsers ask for. */
const ACCEPT = 'image/avif,image/webp,*/*'

/** Fills the caches before and at each launch. Returns a function to call when the catalogue has changed. */
export function prepareLaunches({ database, log, closing }: Source, preparation: Preparation): () => void {
  const logFailure = (error: unknown) => log.warn({ err: error }, 'a launch was not prepared')
  return watchLaunches({
    database,
    log,
    closing,
    onNear: (launch) => void resizePictures(launch, preparation).catch(logFailure),
    onReady(launch) {
      preparation.noteWrite()
      void renderPages(launch, preparation).catch(logFailure)
    },
  })
}

/** Renders the pages that show a product, and their data, which open pages load at the launch. A page that does not exist yet is fine. */
async function renderPages({ slug, colours }: Launch, { origin, renderPage }: Preparation): Promise<void> {
  const product = `/products/${slug}`
  const paths = [product, ...colours.map((colour) => `${product}/${colour}`), '/products', '/']
  for (const path of paths.flatMap((page) => [page === '/' ? '/_root.data' : `${page}.data`, page])) {
    // One at a time, so that visitors' pages are rendered in between.
    // oxlint-disable-next-line no-await-in-loop
    const page = await renderPage(new Request(origin + path))
    // oxlint-disable-next-line no-await-in-loop
    await page.body('br')
  }
}

/** The storage service keeps the resized pictures. */
async function resizePictures({ pictures }: Launch, { origin, callApi }: Preparation): Promise<void> {
  const urls = pictures.filter(canResize).flatMap((src) => PAGE_WIDTHS.map((width) => pictureUrl(src, width)))
  for (const url of urls) {
    // One at a time: a resize takes a whole core.
    // oxlint-disable-next-line no-await-in-loop
    await callApi(new Request(new URL(url, origin), { headers: { accept: ACCEPT } }))
  }
}
