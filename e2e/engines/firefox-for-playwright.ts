#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { findProgram } from './programs.ts'

/**
 * Firefox as a program that Playwright can start (`channel: 'moz-firefox'`). Firefox ESR lacks one BiDi command that Playwright requires,
 * `emulation.setMediaFeaturesOverride`; this stands between them, answers that command by setting the tab's colour scheme with
 * privileged script, and forwards everything else unchanged.
 */
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/
/** Ids of own commands: above any that Playwright counts up to, below those it reserves for closing. */
const FIRST_OWN_ID = 2 ** 52

const messageSchema = z.looseObject({
  id: z.number().nullish(),
  type: z.string().optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
})
type Message = z.infer<typeof messageSchema>

const featuresSchema = z.object({ 'prefers-color-scheme': z.string().nullish() })
type Features = z.infer<typeof featuresSchema>
const mediaSchema = z.object({
  features: featuresSchema,
  contexts: z.array(z.string()).default([]),
  userContexts: z.array(z.string()).default([]),
})
const treeSchema = z.object({ contexts: z.array(z.object({ context: z.string() })) })
const tabSchema = z.object({ context: z.string(), userContext: z.string() })

const firefox = spawn(
  findProgram('firefox-esr', 'firefox') ?? 'firefox',
  ['--remote-allow-system-access', ...process.argv.slice(2)],
  { stdio: ['ignore', 'inherit', 'pipe'] },
)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => firefox.kill(signal))
firefox.once('exit', (code) => process.exit(code ?? 1))

let output = ''
firefox.stderr.on('data', (chunk) => {
  if (LISTENING.test(output)) return
  output += String(chunk)
  const address = LISTENING.exec(output)?.[1]
  if (address) openProxy(address)
})

function openProxy(address: string): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 2 ** 30 })
  server.once('listening', () => {
    const own = server.address()
    if (typeof own === 'object') console.log(`WebDriver BiDi listening on ws://127.0.0.1:${own?.port}`)
  })
  server.on('connection', (playwright) => forward(playwright, new WebSocket(`${address}/session`)))
}

function forward(playwright: WebSocket, browser: WebSocket): void {
  let lastOwnId = FIRST_OWN_ID
  const own = new Map<number, (answer: Message) => void>()
  /** Media features of a user context, for its tabs to come. */
  const featuresOf = new Map<string, Features>()

  const send = (method: string, params: object): Promise<Message> => {
    lastOwnId += 1
    const { promise, resolve } = Promise.withResolvers<Message>()
    own.set(lastOwnId, resolve)
    browser.send(JSON.stringify({ id: lastOwnId, method, params }))
    return promise
  }
  const setMedia = async (tab: string, features: Features): Promise<void> => {
    const tree = await send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 })
    const { contexts } = treeSchema.parse(tree.result)
    await send('script.callFunction', {
      functionDeclaration: overrideMedia.toString(),
      arguments: [
        { type: 'string', value: tab },
        { type: 'string', value: features['prefers-color-scheme'] ?? 'none' },
      ],
      target: { context: contexts[0]?.context },
      awaitPromise: false,
    })
  }

  const opened = new Promise((resolve) => browser.once('open', resolve))
  playwright.on('message', async (data) => {
    await opened
    // Playwright assigns `value` in the page's own world, where React replaced the setter to ignore values that it set itself.
    const text = textOf(data).replace(
      'window.__pw_bidiInsertText(',
      "document.execCommand('insertText', false, ",
    )
    const message = messageSchema.parse(JSON.parse(text))
    if (message.method === 'permissions.setPermission' && isOfClipboard(message)) {
      return playwright.send(JSON.stringify({ type: 'success', id: message.id, result: {} }))
    }
    if (message.method !== 'emulation.setMediaFeaturesOverride') return browser.send(text)
    const { features, contexts, userContexts } = mediaSchema.parse(message.params)
    for (const each of userContexts) featuresOf.set(each, features)
    await Promise.all(contexts.map((tab) => setMedia(tab, features)))
    playwright.send(JSON.stringify({ type: 'success', id: message.id, result: {} }))
  })
  browser.on('message', async (data) => {
    const message = messageSchema.parse(JSON.parse(textOf(data)))
    const resolve = own.get(message.id ?? 0)
    if (resolve) return resolve(message)
    playwright.send(JSON.stringify(withDownload(message)))
    if (message.method !== 'browsingContext.contextCreated') return
    const { context, userContext } = tabSchema.parse(message.params)
    const features = featuresOf.get(userContext)
    if (features) await setMedia(context, features)
  })
  playwright.on('close', () => browser.close())
  browser.on('close', () => playwright.close())
}

/** Messages of this protocol are single text frames. */
const textOf = (data: RawData) => (Buffer.isBuffer(data) ? data.toString() : '')

/** Firefox has no such permission; a preference lets pages read the clipboard. */
const isOfClipboard = ({ params }: Message) => JSON.stringify(params).includes('"clipboard-')

/** Gives a download the id that Firefox leaves out where no navigation started it; Playwright ignores downloads without. */
function withDownload(message: Message): Message {
  const { method, params } = message
  if (method !== 'browsingContext.downloadWillBegin' && method !== 'browsingContext.downloadEnd')
    return message
  return {
    ...message,
    params: { ...params, download: params?.download ?? params?.navigation ?? params?.url },
  }
}

declare const ChromeUtils: { importESModule: (url: string) => { NavigableManager: Navigables } }
interface Navigables {
  getBrowsingContextById: (id: string) => { top: { prefersColorSchemeOverride: string } } | null
}

/** Runs in Firefox's own window; self-contained. */
function overrideMedia(tab: string, colorScheme: string): void {
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  )
  const navigable = NavigableManager.getBrowsingContextById(tab)
  if (navigable) navigable.top.prefersColorSchemeOverride = colorScheme
}
