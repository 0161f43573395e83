/**
 * Caches the catalogue, visited pages and pictures for offline use. The build prepends BUILD and IS_WANTED and does not bundle
 * this file: it shares no code with the pages.
 *
 * Network first: pages come from the network whenever it responds, so the cache cannot make the shop stale. Only public content
 * is cached: never the account, the checkout, the pages of links in e-mails, or API calls.
 */
/* global BUILD, IS_WANTED */
const FILES = `shop files ${BUILD}`
const PAGES = `shop pages ${BUILD}`
/** What links ask for instead of a page. Apart from the pages, or it would evict them. */
const DATA = `shop data ${BUILD}`
/** Not named after the build: a picture's address identifies its content, so the cache survives new builds. */
const PICTURES = 'shop pictures'

const OFFLINE_PAGE = '/offline'
const CATALOGUE = ['/', '/products']
/** Stored at the install and never evicted: they are the oldest. */
const KEPT = [OFFLINE_PAGE, ...CATALOGUE]
const MAX_ENTRIES = { [PAGES]: 60, [DATA]: 60, [PICTURES]: 150 }

/** After this time a cached page replaces a slow network response, except at an address with a query. */
const TIMEOUT_MS = 4000

const PRIVATE_PATHS =
  /^\/(admin|account|auth|checkout|mail|payment-|payments|simulator|dev|rest|functions|realtime|storage)\b/
const PICTURE = /^\/storage\/v1\/(render\/image|object)\/public\/.+\.(jpe?g|png|webp|avif)$/i

addEventListener('install', (event) => event.waitUntil(IS_WANTED ? install() : skipWaiting()))
addEventListener('activate', (event) => event.waitUntil(IS_WANTED ? activate() : unregister()))
addEventListener('message', (event) => {
  const { keep } = event.data ?? {}
  if (IS_WANTED && Array.isArray(keep)) event.waitUntil(cacheAll(keep))
})
addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (!IS_WANTED || request.method !== 'GET' || origin !== location.origin || request.headers.has('range'))
    return

  if (pathname.startsWith('/assets/')) event.respondWith(cacheFirst(event, FILES))
  else if (PICTURE.test(pathname)) event.respondWith(picture(event))
  else if (isPage(request)) event.respondWith(page(event))
  else if (pathname.endsWith('.data') && !PRIVATE_PATHS.test(pathname)) event.respondWith(pageData(event))
})

/** WebKit also fetches films with `mode: 'navigate'`, so check the destination. */
function isPage({ mode, destination }) {
  return mode === 'navigate' && destination === 'document'
}

async function install() {
  await cacheOfflinePage()
  // With data saving, cache only the offline page.
  if (!navigator.connection?.saveData) await cacheAll(CATALOGUE)
  await skipWaiting()
}

async function activate() {
  const current = [FILES, PAGES, DATA, PICTURES]
  await Promise.all(
    (await shopCaches()).filter((name) => !current.includes(name)).map((name) => caches.delete(name)),
  )
  await clients.claim()
}

/** Offline support is switched off: this version replaces an older worker, deletes the caches and unregisters. */
async function unregister() {
  await Promise.all((await shopCaches()).map((name) => caches.delete(name)))
  await registration.unregister()
}

async function shopCaches() {
  return (await caches.keys()).filter((name) => name.startsWith('shop '))
}

/** Removes the scripts, which would need the network. Throws on a refusal: the browser then repeats the install later. */
async function cacheOfflinePage() {
  const response = await fetch(OFFLINE_PAGE)
  if (!response.ok) throw new Error(`the offline page was refused with ${response.status}`)
  const html = await response.text()
  const withoutScripts = html
    .replace(/<script\b[^>]*>[^]*?<\/script>/g, '')
    .replace(/<link\b[^>]*rel="(?:deferred-)?modulepreload"[^>]*>/g, '')
  await cacheFilesOf(withoutScripts)
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': OFFLINE_POLICY }
  await (await caches.open(PAGES)).put(OFFLINE_PAGE, new Response(withoutScripts, { headers }))
}

/** The page's styles are inline. It contains no user content. */
const OFFLINE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'none'"

/** Caches pages, build files and pictures that are not cached yet. */
async function cacheAll(addresses) {
  for (const address of addresses) {
    const { pathname } = new URL(address, location.origin)
    try {
      if (pathname.startsWith('/assets/')) await cacheFile(address, FILES)
      else if (PICTURE.test(pathname)) await cacheFile(address, PICTURES)
      else if (!PRIVATE_PATHS.test(pathname)) await cachePage(pathname)
    } catch {
      // A failed request is cached at the next visit.
    }
  }
}

async function cacheFile(address, name) {
  const cache = await caches.open(name)
  if (await cache.match(address, { ignoreVary: true })) return
  // The browser has just loaded it, so its HTTP cache responds.
  const response = await fetch(address, { cache: 'force-cache' })
  if (response.ok) await put(cache, { name, request: address, response })
}

async function cachePage(pathname) {
  const cache = await caches.open(PAGES)
  if (await cache.match(pathname)) return
  const response = await fetch(pathname)
  if (!isCacheable(response)) return
  const html = await response.clone().text()
  await put(cache, { name: PAGES, request: pathname, response })
  await cacheFilesOf(html)
}

async function cacheFilesOf(html) {
  const files = new Set(html.match(/\/assets\/[\w.~-]+\.(?:js|css|woff2)/g))
  await Promise.all([...files].map((file) => cacheFile(file, FILES)))
}

/** Only pages and their data: other files would appear in the list of offline pages, and so would the secret address of a `no-store` page. */
function isCacheable({ status, redirected, headers }) {
  const type = headers.get('Content-Type') ?? ''
  return status === 200 && !redirected && !mayNotBeStored(headers) && /^text\/(html|x-script)\b/.test(type)
}

function mayNotBeStored(headers) {
  return /\bno-store\b/.test(headers.get('Cache-Control') ?? '')
}

/** Evicts the oldest entries above the limit. */
async function put(cache, { name, request, response }) {
  await cache.put(request, response)
  const evictable = (await cache.keys()).filter(({ url }) => !KEPT.includes(new URL(url).pathname))
  const excess = evictable.length - (MAX_ENTRIES[name] ?? Infinity)
  for (const old of evictable.slice(0, Math.max(0, excess))) await cache.delete(old)
}

async function cacheFirst(event, name) {
  const { request } = event
  const cache = await caches.open(name)
  const cached = await cache.match(request, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  // Not awaited: if the page is left meanwhile, the browser would report a failed interception.
  if (response.ok) cacheCopy(event, { cache, name, request, response })
  return response
}

function cacheCopy(event, { cache, name, request, response }) {
  const stored = put(cache, { name, request, response: response.clone() })
  // A cancelled or oversized response is cached at the next visit.
  event.waitUntil(stored.catch(() => undefined))
}

/** Offline, any size of the picture will do. */
async function picture(event) {
  try {
    return await cacheFirst(event, PICTURES)
  } catch {
    const other = await caches.match(event.request, {
      cacheName: PICTURES,
      ignoreSearch: true,
      ignoreVary: true,
    })
    // Not an error of this worker: a page that is left cancels its requests.
    return other ?? Response.error()
  }
}

async function page(event) {
  const { pathname, search } = new URL(event.request.url)
  const isPublic = !PRIVATE_PATHS.test(pathname)
  const cached = isPublic ? await caches.match(pathname, { cacheName: PAGES }) : undefined
  try {
    return await fromNetwork(event, {
      name: PAGES,
      cacheAs: isPublic && !search ? pathname : null,
      // The cached page lacks what the query asks for, so only a lost connection replaces the response by it.
      hasTimeout: Boolean(cached) && !search,
    })
  } catch {
    return cached ?? offlinePage(event.request)
  }
}

async function pageData(event) {
  const { request } = event
  const cached = (await caches.match(request, { cacheName: DATA })) ?? (await reloadOfStoredPage(request))
  try {
    return await fromNetwork(event, { name: DATA, cacheAs: request, hasTimeout: Boolean(cached) })
  } catch (error) {
    if (cached) return cached
    throw error
  }
}

/**
 * Returns a response that makes the router load the whole page, if that is stored: pages that were opened by their address have no stored
 * data. It is React Router's own format for a redirect without a body. An address with a query waits for the network, as in `page`, and so
 * does the page that is open and asks for newer data.
 */
async function reloadOfStoredPage({ url, referrer }) {
  const { pathname, searchParams } = new URL(url)
  const path = pathname.replace(/_?\.data$/, '')
  searchParams.delete('_routes')
  const isOpen = new URL(referrer, url).pathname === path
  if (searchParams.size > 0 || isOpen || !(await caches.match(path, { cacheName: PAGES }))) return undefined
  const headers = { 'X-Remix-Redirect': path, 'X-Remix-Reload-Document': 'true' }
  return new Response(null, { status: 204, headers })
}

async function fromNetwork(event, { name, cacheAs, hasTimeout }) {
  const pending = fetch(event.request).then((response) => {
    if (cacheAs && isCacheable(response)) {
      const copy = response.clone()
      event.waitUntil(
        caches.open(name).then((cache) => put(cache, { name, request: cacheAs, response: copy })),
      )
    }
    return response
  })
  return hasTimeout ? Promise.race([pending, timeout()]) : pending
}

function timeout() {
  return new Promise((_, fail) => {
    setTimeout(() => fail(new Error('the network takes too long')), TIMEOUT_MS)
  })
}

/**
 * Returns the offline page with links to the cached pages. Its form replaces the address's query by the form's fields, so it gets a
 * field for each parameter: otherwise "Try again" would lose the order of a buyer who returns from PayFast.
 */
async function offlinePage(request) {
  const cache = await caches.open(PAGES)
  const template = await cache.match(OFFLINE_PAGE)
  if (!template) return Response.error()
  const links = []
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname === OFFLINE_PAGE) continue
    const title = /<title>(.*?)<\/title>/.exec(await (await cache.match(url)).text())?.[1] ?? pathname
    links.push(`<li><a href="${encodeURI(pathname)}">${title}</a></li>`)
  }
  const fields = [...new URL(request.url).searchParams].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  // Functions, because a $ in a title or a value would be read as a pattern.
  const html = (await template.text())
    .replace(/<form [^>]*id="try-again"[^>]*>/, (form) => form + fields.join(''))
    .replace(/<ul [^>]*id="kept-pages"[^>]*>/, (list) => list + links.join(''))
  return new Response(html, { status: 503, headers: template.headers })
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
