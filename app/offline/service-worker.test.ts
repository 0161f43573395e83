import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'

/** Rules of the worker without a browser; `e2e/service-worker.e2e.ts` shows that browsers install, update and remove it. */
const SOURCE = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8')
const ORIGIN = 'https://shop.example'

interface StoredResponse {
  url: string
  response: Response
}

/** The Cache API, as far as the worker uses it. */
class FakeCache {
  #stored: StoredResponse[] = []

  async match(request: RequestLike, { ignoreSearch = false } = {}): Promise<Response | undefined> {
    const wanted = addressOf(request, ignoreSearch)
    return this.#stored.find(({ url }) => addressOf(url, ignoreSearch) === wanted)?.response.clone()
  }

  async put(request: RequestLike, response: Response): Promise<void> {
    await this.delete(request)
    this.#stored.push({ url: addressOf(request), response })
  }

  async delete(request: RequestLike): Promise<void> {
    this.#stored = this.#stored.filter(({ url }) => url !== addressOf(request))
  }

  async keys(): Promise<{ url: string }[]> {
    return this.#stored.map(({ url }) => ({ url }))
  }
}

type RequestLike = string | { url: string }

function addressOf(request: RequestLike, ignoreSearch = false): string {
  const url = new URL(typeof request === 'string' ? request : request.url, ORIGIN)
  if (ignoreSearch) url.search = ''
  return url.href
}

type Network = (path: string) => Response | Promise<Response>
type Listener = (event: object) => void

const html = (text: string, status = 200) =>
  new Response(`<title>${text}</title>`, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } })

const OFFLINE = '<h1>You’re offline</h1><form id="try-again"></form><ul id="kept-pages"></ul>'

/** A page request of a browser; Node cannot construct one with the mode `navigate`. */
function navigation(path: string, changes: object = {}) {
  return {
    url: new URL(path, ORIGIN).href,
    method: 'GET',
    mode: 'navigate',
    destination: 'document',
    headers: new Headers(),
    ...changes,
  }
}

/** The router's request for the data of a page, from another page. */
const dataOf = (path: string, from = '/contact') =>
  navigation(path, { mode: 'cors', destination: '', referrer: `${ORIGIN}${from}` })

const goOffline: Network = () => {
  throw new TypeError('Failed to fetch')
}

/** A page's request for a picture in this width. */
const picture = (width: number) => ({
  ...navigation(`/storage/v1/render/image/public/catalogue/red.jpg?width=${width}`, { mode: 'no-cors' }),
  destination: 'image',
})

async function startWorker({
  build = 'two',
  isWanted = true,
  caches = new Map<string, FakeCache>(),
  offline = OFFLINE,
  offlineStatus = 200,
} = {}) {
  const listeners = new Map<string, Listener>()
  let network: Network = (path) => (path === '/offline' ? html(offline, offlineStatus) : html(path))
  const open = async (name: string) => {
    const cache = caches.get(name) ?? new FakeCache()
    caches.set(name, cache)
    return cache
  }
  runInNewContext(`const BUILD = '${build}'\nconst IS_WANTED = ${isWanted}\n${SOURCE}`, {
    addEventListener: (name: string, listener: Listener) => void listeners.set(name, listener),
    caches: {
      open,
      keys: async () => [...caches.keys()],
      delete: async (name: string) => caches.delete(name),
      match: async (request: RequestLike, { cacheName = '', ...options }) =>
        (await open(cacheName)).match(request, options),
    },
    clients: { claim: async () => undefined },
    registration: { unregister: async () => undefined },
    skipWaiting: async () => undefined,
    fetch: async (request: RequestLike) => network(addressOf(request).slice(ORIGIN.length)),
    location: new URL(ORIGIN),
    navigator: {},
    Response,
    URL,
    setTimeout,
  })

  /** Fires an event and waits for its work. Returns the worker's response; null when the browser's own request goes ahead. */
  async function fire(name: string, event: object = {}): Promise<Response | null> {
    const work: Promise<unknown>[] = []
    const answered: Promise<Response>[] = []
    listeners.get(name)?.({
      ...event,
      waitUntil: (pending: Promise<unknown>) => void work.push(pending),
      respondWith: (pending: Promise<Response>) => void answered.push(pending),
    })
    const response = (await answered[0]) ?? null
    await Promise.all(work)
    return response
  }
  await fire('install')
  await fire('activate')
  return {
    caches,
    request: (request: object) => fire('fetch', { request }),
    visit: (path: string) => fire('fetch', { request: navigation(path) }),
    keep: (addresses: string[]) => fire('message', { data: { keep: addresses } }),
    respondWith: (respond: Network) => (network = respond),
    async storedPages(): Promise<string[]> {
      const pages = await (await open(`shop pages ${build}`)).keys()
      return pages.map(({ url }) => url.slice(ORIGIN.length))
    },
  }
}

const INSTALLED = ['/offline', '/', '/products']

const PRIVATE = [
  '/account',
  '/account/orders/1',
  '/admin/orders',
  '/auth/link',
  '/checkout',
  '/payment-success',
  '/payments/payfast',
  '/mail/unsubscribe/secret',
  '/dev/mail',
]

describe('pages that the service worker stores', () => {
  it('stores the catalogue at once and other public pages when they are visited', async () => {
    const worker = await startWorker()

    await worker.visit('/faq')

    expect(await worker.storedPages()).toEqual([...INSTALLED, '/faq'])
  })

  it.each(PRIVATE)('does not store the private page %s', async (path) => {
    const worker = await startWorker()

    await worker.visit(path)
    await worker.keep([path])
    await worker.request(dataOf(`${path}.data`))

    expect(await worker.storedPages()).toEqual(INSTALLED)
  })

  it('does not intercept the data of private pages', async () => {
    const worker = await startWorker()

    const requests = PRIVATE.map((path) => dataOf(`${path}.data`))

    for (const request of requests) expect(await worker.request(request)).toBeNull()
  })

  it('does not store a search under the address of the page', async () => {
    const worker = await startWorker()

    await worker.visit('/gallery?q=kob')

    expect(await worker.storedPages()).toEqual(INSTALLED)
  })

  it('does not store a page whose address is secret, which the server marks with no-store', async () => {
    const worker = await startWorker()
    const headers = { 'Content-Type': 'text/html', 'Cache-Control': 'no-store' }
    worker.respondWith(() => new Response('Unsubscribe', { headers }))

    await worker.visit('/letters/secret')

    expect(await worker.storedPages()).toEqual(INSTALLED)
  })

  it('does not store errors, redirects and other files', async () => {
    const worker = await startWorker()
    const redirected = html('Sign in')
    Object.defineProperty(redirected, 'redirected', { value: true })
    const responses = [html('Not found', 404), redirected, new Response('<urlset/>')]

    for (const response of responses) {
      worker.respondWith(() => response)
      await worker.visit('/faq')
    }

    expect(await worker.storedPages()).toEqual(INSTALLED)
  })

  it('stores at most sixty pages besides the offline page, home and catalogue, whatever data links ask for', async () => {
    const worker = await startWorker()

    for (let page = 1; page <= 70; page += 1) {
      await worker.visit(`/products/lure-${page}`)
      await worker.request(dataOf(`/products/lure-${page}.data`))
    }

    const [newest, ...others] = (await worker.storedPages()).toReversed()
    expect(newest).toBe('/products/lure-70')
    expect(others).toHaveLength(59 + INSTALLED.length)
    expect(others).toEqual(expect.arrayContaining([...INSTALLED, '/products/lure-11']))
  })

  it('stores the data of at most sixty addresses', async () => {
    const worker = await startWorker()

    for (let page = 1; page <= 70; page += 1) await worker.request(dataOf(`/products.data?page=${page}`))

    expect(await worker.caches.get('shop data two')?.keys()).toHaveLength(60)
  })

  it('does not install a worker whose offline page the shop refused, so that the browser tries again', async () => {
    await expect(startWorker({ offlineStatus: 429 })).rejects.toThrow('429')
  })

  it('deletes the pages of an earlier build and keeps the pictures', async () => {
    const { caches } = await startWorker({ build: 'one' })
    caches.set('shop pictures', new FakeCache())
    caches.set('another application', new FakeCache())

    await startWorker({ build: 'two', caches })

    expect([...caches.keys()].toSorted()).toEqual(['another application', 'shop pages two', 'shop pictures'])
  })

  it('deletes all stored pages when the shop no longer works offline', async () => {
    const { caches } = await startWorker()

    const retired = await startWorker({ isWanted: false, caches })

    expect([...caches.keys()]).toEqual([])
    expect(await retired.visit('/faq')).toBeNull()
  })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('requests that the service worker answers', () => {
  it.each([
    ['a form post', navigation('/faq', { method: 'POST' })],
    ['another site', navigation('https://other.example/faq')],
    ['a part of a film', navigation('/film.mp4', { headers: new Headers({ range: 'bytes=0-' }) })],
    ['an API call', { ...navigation('/rest/v1/orders'), mode: 'cors', destination: '' }],
  ])('leaves %s to the browser', async (_, request) => {
    const worker = await startWorker()

    expect(await worker.request(request)).toBeNull()
  })

  it('prefers the network to a stored page', async () => {
    const worker = await startWorker()
    await worker.visit('/faq')
    worker.respondWith(() => html('new prices'))

    expect(await (await worker.visit('/faq'))?.text()).toContain('new prices')
  })

  it('shows stored pages without a network, and the offline page instead of private and unknown ones', async () => {
    const worker = await startWorker()
    await worker.visit('/faq')
    worker.respondWith(goOffline)

    expect((await worker.visit('/faq'))?.status).toBe(200)
    for (const path of ['/account', '/contact']) {
      const shown = await worker.visit(path)
      expect([shown?.status, await shown?.text()]).toEqual([503, expect.stringContaining('href="/faq"')])
    }
  })

  it('keeps the order of a buyer who tries again on the offline page', async () => {
    const worker = await startWorker()
    worker.respondWith(goOffline)

    const shown = await (
      await worker.visit('/payment-success?order_id=17&from=A%26B&from=%22%3E%3Cscript')
    )?.text()

    expect(shown).toContain(
      '<form id="try-again"><input type="hidden" name="order_id" value="17">' +
        '<input type="hidden" name="from" value="A&#38;B">' +
        '<input type="hidden" name="from" value="&#34;&#62;&#60;script"></form>',
    )
  })

  it('waits for a slow search instead of showing the stored page without it', async () => {
    vi.useFakeTimers()
    const worker = await startWorker()
    await worker.visit('/gallery')
    const response = Promise.withResolvers<Response>()
    worker.respondWith(() => response.promise)

    const shown = worker.visit('/gallery?q=kob')
    await vi.advanceTimersByTimeAsync(10_000)
    response.resolve(html('Photos of kob'))

    expect(await (await shown)?.text()).toContain('Photos of kob')
  })

  it('shows the stored page when the network is slow, and for a search when there is no network', async () => {
    vi.useFakeTimers()
    const worker = await startWorker()
    await worker.visit('/gallery')
    worker.respondWith(() => new Promise(() => {}))

    const slow = worker.visit('/gallery')
    await vi.advanceTimersByTimeAsync(10_000)
    worker.respondWith(goOffline)

    expect(await (await slow)?.text()).toContain('/gallery')
    expect((await worker.visit('/gallery?q=kob'))?.status).toBe(200)
  })

  it.each([
    ['there is no network', goOffline],
    ['the network is slow', () => new Promise<Response>(() => {})],
  ])('opens a stored page whose data is not stored as a whole when %s', async (_when, network) => {
    vi.useFakeTimers()
    const worker = await startWorker()
    await worker.visit('/products/popper')
    worker.respondWith(network)
    const follow = async (path: string) => {
      const shown = worker.request(dataOf(path))
      await vi.advanceTimersByTimeAsync(10_000)
      const { status, headers } = (await shown) ?? new Response()
      return [status, headers.get('X-Remix-Redirect'), headers.get('X-Remix-Reload-Document')]
    }

    expect(await follow('/products/popper.data?_routes=product')).toEqual([204, '/products/popper', 'true'])
    expect(await follow('/_.data')).toEqual([204, '/', 'true'])
  })

  it.each([
    ['of a page that is not stored', dataOf('/faq.data')],
    ['of an address with a query', dataOf('/products.data?q=kob')],
    ['that the open page asks for again', dataOf('/products.data', '/products?sort=price')],
  ])('fails the data %s when there is no network', async (_which, request) => {
    const worker = await startWorker()
    worker.respondWith(goOffline)

    await expect(worker.request(request)).rejects.toThrow('Failed to fetch')
  })

  it('lists a stored page under its own title, whatever characters it has', async () => {
    const worker = await startWorker()
    worker.respondWith(() => html('The $100 lure of R$&amp;C'))
    await worker.visit('/products/expensive')
    worker.respondWith(goOffline)

    const shown = await (await worker.visit('/contact'))?.text()

    expect(shown).toContain('<li><a href="/products/expensive">The $100 lure of R$&amp;C</a></li>')
  })

  it('shows another size of a picture without a network', async () => {
    const worker = await startWorker()
    worker.respondWith(() => new Response('small'))
    await worker.request(picture(160))
    worker.respondWith(goOffline)

    expect(await (await worker.request(picture(640)))?.text()).toBe('small')
  })

  it('stores the offline page without scripts, which would need the network', async () => {
    const worker = await startWorker({
      offline: `<script src="/a.js"></script>${OFFLINE}<script>b()</script>`,
    })
    worker.respondWith(goOffline)

    const shown = await worker.visit('/contact')

    expect(await shown?.text()).not.toContain('<script')
    expect(shown?.headers.get('content-security-policy')).toContain("script-src 'none'")
  })
})
