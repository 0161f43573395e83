#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { z } from 'zod'
import { findMiniBrowser, startScreen } from './webkit.ts'
import { BrowserProcess, type InspectedPage } from './webkit/browser-process.ts'
import { type ProtocolMessage, parseMessage } from './webkit/message.ts'
import { WebKitPage } from './webkit/page.ts'

/**
 * Debian's WebKitGTK as a program that Playwright can start. Playwright speaks the inspector protocol of its own build of WebKit, over
 * pipes; stock WebKit has the same protocol with fewer commands. Each browser context is a browser of its own.
 */
const COMMANDS_FD = 3
const ANSWERS_FD = 4

const ofContextSchema = z.object({ browserContextId: z.string() })
const downloadsSchema = z.object({ browserContextId: z.string(), downloadPath: z.string() })
const ofPageSchema = z.object({ pageProxyId: z.string() })
const navigateSchema = z.object({ pageProxyId: z.string(), url: z.string() })

const { display } = await startScreen()
const env = {
  ...process.env,
  DISPLAY: display,
  GDK_BACKEND: 'x11',
  WEBKIT_DISABLE_COMPOSITING_MODE: '1',
}

const answers = new Socket({ fd: ANSWERS_FD, readable: false, writable: true })
const browsers = new Map<string, Promise<BrowserProcess>>()
const pages = new Map<string, { page: WebKitPage; browserContextId: string }>()
/** The page that was last used; downloads are its. */
let lastUsed = ''

function emit(message: ProtocolMessage): void {
  answers.write(`${JSON.stringify(message)}\0`)
}

let rest = ''
const commands = new Socket({ fd: COMMANDS_FD, readable: true, writable: false }).setEncoding('utf8')
commands.on('data', (chunk) => {
  const texts = (rest + String(chunk)).split('\0')
  rest = texts.pop() ?? ''
  for (const text of texts) void execute(parseMessage(text))
})
commands.on('end', () => void close())
process.on('SIGTERM', () => void close())

async function execute(message: ProtocolMessage): Promise<void> {
  if (message.pageProxyId) {
    const found = pages.get(message.pageProxyId)
    if (message.method?.startsWith('Input.')) lastUsed = message.pageProxyId
    if (found) return found.page.fromPlaywright(message)
    return emit({
      id: message.id,
      error: { message: 'the page has closed' },
      pageProxyId: message.pageProxyId,
    })
  }
  await browserCommand(message).then(
    (result) => emit({ id: message.id, result }),
    (error: Error) => emit({ id: message.id, error: { message: error.message } }),
  )
}

async function browserCommand({ method, params }: ProtocolMessage): Promise<Record<string, unknown>> {
  switch (method ?? '') {
    case 'Playwright.createContext': {
      const browserContextId = randomUUID()
      const started = BrowserProcess.start(findMiniBrowser() ?? '', env)
      browsers.set(browserContextId, started)
      const browser = await started
      browser.onOpened((target) => addPage(target, { browser, browserContextId }))
      return { browserContextId }
    }
    case 'Playwright.deleteContext':
      return deleteContext(ofContextSchema.parse(params).browserContextId)
    case 'Playwright.setDownloadBehavior':
      await moveDownloads(downloadsSchema.parse(params))
      return {}
    case 'Playwright.createPage':
      return createPage(ofContextSchema.parse(params).browserContextId)
    case 'Playwright.closePage':
      return closePage(ofPageSchema.parse(params).pageProxyId)
    case 'Playwright.navigate': {
      const { pageProxyId, url } = navigateSchema.parse(params)
      const found = pages.get(pageProxyId)
      if (!found) throw new Error('the page has closed')
      return { ...(await found.page.navigate(url)) }
    }
    case 'Playwright.getAllCookies':
      return { cookies: [] }
    case 'Playwright.close':
      await close()
      return {}
    default:
      return {}
  }
}

async function moveDownloads(parsed: z.infer<typeof downloadsSchema>): Promise<void> {
  const { browserContextId, downloadPath } = parsed
  const browser = await browsers.get(browserContextId)
  await browser?.moveDownloads(downloadPath, ({ uuid, suggestedFilename }) => {
    // Playwright takes the main frame for one that it does not know.
    const params = { pageProxyId: lastUsed, frameId: '', uuid, url: '' }
    emit({ method: 'Playwright.downloadCreated', params })
    emit({ method: 'Playwright.downloadFilenameSuggested', params: { uuid, suggestedFilename } })
    emit({ method: 'Playwright.downloadFinished', params: { uuid } })
  })
}

async function createPage(browserContextId: string): Promise<Record<string, unknown>> {
  const browser = await browsers.get(browserContextId)
  if (!browser) throw new Error('the browser has closed')
  return { pageProxyId: addPage(await browser.createPage(), { browser, browserContextId }) }
}

function addPage(
  target: InspectedPage,
  { browser, browserContextId }: { browser: BrowserProcess; browserContextId: string },
): string {
  const pageProxyId = randomUUID()
  emit({ method: 'Playwright.pageProxyCreated', params: { pageProxyId, browserContextId } })
  const page = new WebKitPage(pageProxyId, { target, browser, emit })
  pages.set(pageProxyId, { page, browserContextId })
  return pageProxyId
}

async function closePage(pageProxyId: string): Promise<Record<string, unknown>> {
  const found = pages.get(pageProxyId)
  if (!found) return {}
  const browser = await browsers.get(found.browserContextId)
  // The last window would take the browser with it; it ends with its context.
  const others = [...pages.values()].filter(
    ({ browserContextId }) => browserContextId === found.browserContextId,
  )
  if (others.length > 1)
    await browser
      ?.automate('closeBrowsingContext', { handle: found.page.target.handle })
      .catch(() => undefined)
  forgetPage(pageProxyId)
  return {}
}

function forgetPage(pageProxyId: string): void {
  if (pages.delete(pageProxyId)) emit({ method: 'Playwright.pageProxyDestroyed', params: { pageProxyId } })
}

async function deleteContext(browserContextId: string): Promise<Record<string, unknown>> {
  const browser = await browsers.get(browserContextId)
  browsers.delete(browserContextId)
  for (const [id, page] of pages) if (page.browserContextId === browserContextId) forgetPage(id)
  await browser?.close()
  return {}
}

async function close(): Promise<void> {
  const started = await Promise.allSettled(browsers.values())
  const open = started.flatMap((browser) => (browser.status === 'fulfilled' ? [browser.value] : []))
  await Promise.all(open.map((browser) => browser.close()))
  process.exit(0)
}
