/**
 * Keeps the catalogue, what was seen of it and its pictures for when there is no signal. The build puts BUILD and IS_WANTED
 * in front and leaves the rest as it is written here: it runs beside the pages and shares no code with them.
 *
 * Pages come from the network whenever it answers, so nothing here can make the shop old. Kept is only what is the same for
 * everybody: no account, no checkout, no call of the API ever comes by this file.
 */
/* global BUILD, IS_WANTED */
const FILES = `shop files ${BUILD}`
const PAGES = `shop pages ${BUILD}`
/** A picture's address names its content, so pictures outlive builds. */
const PICTURES = 'shop pictures'

const OFFLINE_PAGE = '/offline'
const CATALOGUE = ['/', '/products']
const AT_MOST = { [PAGES]: 60, [PICTURES]: 150 }

/** A network that answers later than this is taken for none where a kept page can stand in. */
const PATIENCE_MS = 4000

const NOT_KEPT =
  /^\/(admin|account|auth|checkout|payment-|payments|simulator|dev|rest|functions|realtime|storage)\b/
const PICTURE = /^\/storage\/v1\/(render\/image|object)\/public\/.+\.(jpe?g|png|webp|avif)$/i

addEventListener('install', (event) => event.waitUntil(IS_WANTED ? install() : skipWaiting()))
addEventListener('activate', (event) => event.waitUntil(IS_WANTED ? takeOver() : leave()))
addEventListener('message', (event) => {
  const { keep } = event.data ?? {}
  if (IS_WANTED && Array.isArray(keep)) event.waitUntil(keepAll(keep))
})
addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (!IS_WANTED || request.method !== 'GET' || origin !== location.origin || request.headers.has('range'))
    return

  if (pathname.startsWith('/assets/')) event.respondWith(keptFirst(event, FILES))
  else if (PICTURE.test(pathname)) event.respondWith(picture(event))
  else if (isPage(request)) event.respondWith(page(event))
  else if (pathname.endsWith('.data') && !NOT_KEPT.test(pathname)) event.respondWith(pageData(event))
})

/** WebKit fetches films with `mode: 'navigate'` as well: only the destination tells a page. */
function isPage({ mode, destination }) {
  return mode === 'navigate' && destination === 'document'
}

async function install() {
  await keepOfflinePage()
  // Whoever saves data gets only what is needed to say that there is no signal.
  if (!navigator.connection?.saveData) await keepAll(CATALOGUE)
  await skipWaiting()
}

async function takeOver() {
  const current = [FILES, PAGES, PICTURES]
  await Promise.all(
    (await ourCaches()).filter((name) => !current.includes(name)).map((name) => caches.delete(name)),
  )
  await clients.claim()
}

/** The shop no longer wants to work offline: this worker takes the place of the last one, tidies up and ends. */
async function leave() {
  await Promise.all((await ourCaches()).map((name) => caches.delete(name)))
  await registration.unregister()
}

async function ourCaches() {
  return (await caches.keys()).filter((name) => name.startsWith('shop '))
}

/** Without its scripts: what they would bring to life needs the network, or another address. */
async function keepOfflinePage() {
  const html = await (await fetch(OFFLINE_PAGE)).text()
  const still = html
    .replace(/<script\b[^>]*>[^]*?<\/script>/g, '')
    .replace(/<link\b[^>]*rel="(?:deferred-)?modulepreload"[^>]*>/g, '')
  await keepFilesOf(still)
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': OFFLINE_POLICY }
  await (await caches.open(PAGES)).put(OFFLINE_PAGE, new Response(still, { headers }))
}

/** The page's looks are inline, and nobody's words are in it. */
const OFFLINE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'none'"

/** What a page names by its address: pages, files of the build, pictures. What is there already is not asked for again. */
async function keepAll(addresses) {
  for (const address of addresses) {
    const { pathname } = new URL(address, location.origin)
    try {
      if (pathname.startsWith('/assets/')) await keepOne(address, FILES)
      else if (PICTURE.test(pathname)) await keepOne(address, PICTURES)
      else if (!NOT_KEPT.test(pathname)) await keepPage(pathname)
    } catch {
      // What cannot be fetched now is kept when it is seen again.
    }
  }
}

async function keepOne(address, name) {
  const cache = await caches.open(name)
  if (await cache.match(address, { ignoreVary: true })) return
  // The browser has shown it a moment ago: its own cache answers, not the network.
  const answer = await fetch(address, { cache: 'force-cache' })
  if (answer.ok) await put(cache, { name, request: address, answer })
}

async function keepPage(pathname) {
  const cache = await caches.open(PAGES)
  if (await cache.match(pathname)) return
  const answer = await fetch(pathname)
  if (!isKeepable(answer)) return
  const html = await answer.clone().text()
  await put(cache, { name: PAGES, request: pathname, answer })
  await keepFilesOf(html)
}

async function keepFilesOf(html) {
  const files = new Set(html.match(/\/assets\/[\w.~-]+\.(?:js|css|woff2)/g))
  await Promise.all([...files].map((file) => keepOne(file, FILES)))
}

/** Pages and the data of pages. Anything else that a page names, a film for one, would stand in the list of pages. */
function isKeepable(answer) {
  const type = answer.headers.get('Content-Type') ?? ''
  return answer.status === 200 && !answer.redirected && /^text\/(html|x-script)\b/.test(type)
}

/** The oldest goes when there are too many. */
async function put(cache, { name, request, answer }) {
  await cache.put(request, answer)
  const kept = await cache.keys()
  const tooMany = kept.length - (AT_MOST[name] ?? Infinity)
  for (const old of kept.slice(0, Math.max(0, tooMany))) {
    if (new URL(old.url).pathname !== OFFLINE_PAGE) await cache.delete(old)
  }
}

async function keptFirst(event, name) {
  const { request } = event
  const cache = await caches.open(name)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept) return kept
  const answer = await fetch(request)
  // The page does not wait for it: left meanwhile, it would have the browser report a failed interception.
  if (answer.ok) keepCopy(event, { cache, name, request, answer })
  return answer
}

function keepCopy(event, { cache, name, request, answer }) {
  const stored = put(cache, { name, request, answer: answer.clone() })
  // What was cancelled, or does not fit, is kept when it is seen again.
  event.waitUntil(stored.catch(() => undefined))
}

/** Without a signal any size of the picture will do. */
async function picture(event) {
  try {
    return await keptFirst(event, PICTURES)
  } catch {
    const other = await caches.match(event.request, {
      cacheName: PICTURES,
      ignoreSearch: true,
      ignoreVary: true,
    })
    // A failed request is no error of this worker, and a page that is left cancels its requests.
    return other ?? Response.error()
  }
}

async function page(event) {
  const { pathname, search } = new URL(event.request.url)
  const isPublic = !NOT_KEPT.test(pathname)
  const kept = isPublic ? await caches.match(pathname, { cacheName: PAGES }) : undefined
  try {
    return await fromNetwork(event, {
      keptAs: isPublic && !search ? pathname : null,
      patience: Boolean(kept),
    })
  } catch {
    return kept ?? offlinePage()
  }
}

async function pageData(event) {
  const { request } = event
  const kept = await caches.match(request, { cacheName: PAGES })
  try {
    return await fromNetwork(event, { keptAs: request, patience: Boolean(kept) })
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

async function fromNetwork(event, { keptAs, patience }) {
  const answered = fetch(event.request).then((answer) => {
    if (keptAs && isKeepable(answer)) {
      const copy = answer.clone()
      event.waitUntil(
        caches.open(PAGES).then((cache) => put(cache, { name: PAGES, request: keptAs, answer: copy })),
      )
    }
    return answer
  })
  return patience ? Promise.race([answered, tooLate()]) : answered
}

function tooLate() {
  return new Promise((_, fail) => {
    setTimeout(() => fail(new Error('the network takes too long')), PATIENCE_MS)
  })
}

/** Says that there is no signal, and names the pages that open without one. */
async function offlinePage() {
  const cache = await caches.open(PAGES)
  const template = await cache.match(OFFLINE_PAGE)
  if (!template) return Response.error()
  const links = []
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname === OFFLINE_PAGE || pathname.endsWith('.data')) continue
    const title = /<title>(.*?)<\/title>/.exec(await (await cache.match(url)).text())?.[1] ?? pathname
    links.push(`<li><a href="${encodeURI(pathname)}">${title}</a></li>`)
  }
  const html = (await template.text()).replace(/(<ul id="kept-pages"[^>]*>)/, `$1${links.join('')}`)
  return new Response(html, { status: 503, headers: template.headers })
}
