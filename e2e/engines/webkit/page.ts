import { z } from 'zod'
import { PendingCommands, type ProtocolMessage, parseMessage } from './message.ts'
import type { BrowserProcess, InspectedPage } from './browser-process.ts'
import { BRIDGES, BINDING_TAG, NAVIGATION_TAG } from './in-page.ts'
import { Input, wheel } from './input.ts'
import { Interception } from './interception.ts'
import { SUBSTITUTES, UNKNOWN_COMMANDS } from './substitutes.ts'

const UTILITY_WORLD = '__playwright_utility_world__'
/** Contexts of the second world that Playwright asks for; they stand for the page's own, because WebKit has no command for others. */
const FIRST_UTILITY_CONTEXT = 1_000_000

/** How Playwright fills date fields. In the page's own world React replaced the setter, to ignore values that it set itself. */
const ASSIGNED_VALUE = 'input.value = value;'
const NATIVE_ASSIGNMENT = `Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value);`

const PROCESS_SWAP_WITHIN_MS = 1000

const wrappedSchema = z.object({ targetId: z.string(), message: z.string() })
const frameSchema = z.object({ id: z.string(), parentId: z.string().optional(), loaderId: z.string() })
const navigatedSchema = z.object({ frame: frameSchema })
const contextSchema = z.object({
  context: z.looseObject({ id: z.number(), type: z.string(), frameId: z.string() }),
})
const consoleSchema = z.object({
  message: z.object({
    level: z.string(),
    parameters: z
      .array(z.object({ value: z.unknown().optional(), objectId: z.string().optional() }))
      .optional(),
  }),
})
const failedSchema = z.object({ requestId: z.string(), errorText: z.string() })
const requestSchema = z.object({
  requestId: z.string(),
  type: z.string().optional(),
  request: z.object({ url: z.string() }),
})
const interceptedSchema = z.object({ requestId: z.string() })
const boxSchema = z.object({ width: z.number(), height: z.number() })
const sizesSchema = z.object({
  result: z.object({ value: z.tuple([z.number(), z.number(), z.number(), z.number()]) }),
})

type Browser = Pick<BrowserProcess, 'attach' | 'send' | 'automate'>

interface Navigation {
  url: string
  resolve: (result: { loaderId?: string }) => void
  reject: (error: Error) => void
}

/** One page between Playwright and WebKit: forwards what stock WebKit knows, and answers the rest with what it has. */
export class WebKitPage {
  readonly id: string
  readonly target: InspectedPage
  readonly #browser: Browser
  readonly #emit: (message: ProtocolMessage) => void
  readonly #caller = new PendingCommands()
  readonly #input = new Input()
  #lastInteraction: Promise<unknown> = Promise.resolve()
  #targetId = ''
  #mainFrame = ''
  /** The process that is to show the next document. */
  #provisional = ''
  #processes = 0
  /** The event of that process, until Playwright knows the first document's frame. */
  #heldEvent: ProtocolMessage | undefined
  #bindings = false
  #bootstrap = ''
  #documentRequest: string | undefined
  readonly #interception = new Interception((targetId, method, params) => this.call(targetId, method, params))
  #navigation: Navigation | undefined

  constructor(
    id: string,
    {
      target,
      browser,
      emit,
    }: { target: InspectedPage; browser: Browser; emit: (message: ProtocolMessage) => void },
  ) {
    this.id = id
    this.target = target
    this.#browser = browser
    this.#emit = (message) => emit({ ...message, pageProxyId: id })
    browser.attach(target, (message) => this.#fromWebKit(message))
    // A process for the next document waits until Playwright has prepared it.
    void this.#toPage('Target.setPauseOnStart', { pauseOnStart: true })
  }

  /** Loads an address; resolves when its document or its fragment is shown. */
  async navigate(url: string): Promise<{ loaderId?: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ loaderId?: string }>()
    this.#navigation = { url: new URL(url).href, resolve, reject }
    await this.call(this.#targetId, 'Page.navigate', { url })
    return promise
  }

  #toPage(method: string, params: object): Promise<Record<string, unknown>> {
    return this.#caller.call((id) => this.#browser.send(this.target, { id, method, params }), method)
  }

  /** Sends a command to the page's document. */
  call(targetId: string, method: string, params: object): Promise<Record<string, unknown>> {
    return this.#caller.call((id) => this.#toTarget(targetId, { id, method, params }), method)
  }

  async fromPlaywright(message: ProtocolMessage): Promise<void> {
    if (message.method !== 'Target.sendMessageToTarget') {
      await this.#answer(message, this.#pageCommand(message), (answer) => this.#emit(answer))
      return
    }
    const { targetId, message: text } = wrappedSchema.parse(message.params)
    this.#emit({ id: message.id, result: {} })
    const inner = parseMessage(text)
    const substitute = this.#documentCommand(targetId, inner)
    if (substitute) await this.#answer(inner, substitute, (answer) => this.#fromTarget(targetId, answer))
    else this.#toTarget(targetId, inner)
  }

  async #answer(
    { id }: ProtocolMessage,
    work: Promise<Record<string, unknown>>,
    reply: (answer: ProtocolMessage) => void,
  ): Promise<void> {
    await work.then(
      (result) => reply({ id, result }),
      (error: Error) => reply({ id, error: { message: error.message } }),
    )
  }

  /** Commands about the page as a whole: its window and its input. */
  async #pageCommand({ method = '', params = {} }: ProtocolMessage): Promise<Record<string, unknown>> {
    switch (method) {
      case 'Input.dispatchKeyEvent':
        return this.#interact(this.#input.key(params))
      case 'Input.dispatchMouseEvent':
        return this.#interact(this.#input.mouse(params))
      case 'Input.dispatchWheelEvent':
        return this.#interact(wheel(params))
      case 'Emulation.setDeviceMetricsOverride':
        return this.#resize(boxSchema.parse(params))
      case 'Target.activate':
        return this.#browser.automate('switchToBrowsingContext', {
          browsingContextHandle: this.target.handle,
          frameHandle: '',
        })
      case 'Target.resume':
        return this.#toPage(method, params)
      default:
        return {}
    }
  }

  /** WebKit refuses an interaction while another one is underway; Playwright sends a click's three together. */
  #interact(steps: object): Promise<Record<string, unknown>> {
    const { handle } = this.target
    const interaction = this.#lastInteraction.then(() =>
      this.#browser.automate('performInteractionSequence', { handle, frameHandle: '', ...steps }),
    )
    this.#lastInteraction = interaction.catch(() => undefined)
    return interaction
  }

  /** Sizes the page; the window also has a toolbar. */
  async #resize(wanted: { width: number; height: number }): Promise<Record<string, unknown>> {
    const { handle } = this.target
    // oxlint-disable no-await-in-loop -- GTK resizes some frames after the command
    for (let tries = 3; tries > 0; tries -= 1) {
      const [innerWidth, innerHeight, outerWidth, outerHeight] = await this.#sizes()
      const size = {
        width: wanted.width + outerWidth - innerWidth,
        height: wanted.height + outerHeight - innerHeight,
      }
      await this.#browser.automate('setWindowFrameOfBrowsingContext', { handle, size })
      for (let looks = 40; looks > 0; looks -= 1) {
        const [width, height] = await this.#sizes()
        if (width === wanted.width && height === wanted.height) return {}
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    }
    // oxlint-enable no-await-in-loop
    return {}
  }

  async #sizes(): Promise<[number, number, number, number]> {
    const answer = await this.call(this.#targetId, 'Runtime.evaluate', {
      expression: '[innerWidth, innerHeight, outerWidth, outerHeight]',
      returnByValue: true,
    })
    return sizesSchema.parse(answer).result.value
  }

  /** Commands about a document; `undefined` for those that WebKit knows. */
  #documentCommand(targetId: string, inner: ProtocolMessage): Promise<Record<string, unknown>> | undefined {
    const { method = '', params = {} } = inner
    const call = (name: string, own: object) => this.call(targetId, name, own)
    switch (method) {
      case 'Page.setBootstrapScript':
        this.#bootstrap = String(params.source)
        return this.#bootstrapIn(targetId)
      case 'Runtime.addBinding':
        this.#bindings = true
        return this.#bootstrapIn(targetId).then(() =>
          call('Runtime.evaluate', { expression: BRIDGES.binding }),
        )
      case 'Network.setInterceptionEnabled':
        return this.#interception.setEnabled(targetId, params.enabled === true)
      case 'Network.addInterception':
        return targetId === this.#provisional ? this.#interception.addInNextProcess(targetId) : undefined
      case 'Network.setEmulateOfflineState':
        return this.#interception.setOffline(targetId, params.offline === true)
      case 'DOM.describeNode':
        return Promise.resolve({ ownerFrameId: this.#mainFrame })
      case 'Runtime.evaluate': {
        const { contextId } = params
        if (typeof contextId !== 'number' || contextId < FIRST_UTILITY_CONTEXT) return undefined
        const expression = String(params.expression).replace(ASSIGNED_VALUE, NATIVE_ASSIGNMENT)
        return call(method, { ...params, expression, contextId: contextId - FIRST_UTILITY_CONTEXT })
      }
      default:
        if (UNKNOWN_COMMANDS.has(method)) return Promise.resolve({})
        return SUBSTITUTES[method]?.(params, call)
    }
  }

  async #bootstrapIn(targetId: string): Promise<Record<string, unknown>> {
    const { focus, navigation, binding } = BRIDGES
    const scripts = [focus, navigation, ...(this.#bindings ? [binding] : []), this.#bootstrap]
    const source = scripts.join(';\n')
    return this.call(targetId, 'Page.setBootstrapScript', { source })
  }

  #toTarget(targetId: string, message: object): void {
    const params = { targetId, message: JSON.stringify(message) }
    void this.#toPage('Target.sendMessageToTarget', params).catch((error: Error) => {
      const { id } = parseMessage(JSON.stringify(message))
      const answer = { id, error: { message: error.message } }
      if (!this.#caller.accept(answer)) this.#fromTarget(targetId, answer)
    })
  }

  #fromTarget(targetId: string, message: ProtocolMessage): void {
    // The process of the previous document still sends events; Playwright fails for a target that it has left.
    if (targetId !== this.#targetId && targetId !== this.#provisional) return
    const params = { targetId, message: JSON.stringify(message) }
    this.#emit({ method: 'Target.dispatchMessageFromTarget', params })
  }

  #fromWebKit(message: ProtocolMessage): void {
    if (this.#caller.accept(message)) return
    this.#followTarget(message)
    if (message.method !== 'Target.dispatchMessageFromTarget') {
      if (isOfPage(message)) this.#onTargetEvent(message)
      return
    }
    const { targetId, message: text } = wrappedSchema.parse(message.params)
    const inner = parseMessage(text)
    if (this.#caller.accept(inner)) return
    for (const each of this.#events(inner, targetId)) this.#fromTarget(targetId, each)
    if (this.#heldEvent && this.#mainFrame) {
      this.#emit(this.#heldEvent)
      this.#heldEvent = undefined
    }
  }

  /** A tab that a page opened loads at once, and its next process waits; Playwright fails for one before it knows the tab's frame. */
  #onTargetEvent(message: ProtocolMessage): void {
    if (this.#mainFrame) return this.#emit(message)
    if (message.method === 'Target.targetCreated' && this.#provisional) this.#heldEvent = message
    else if (this.#heldEvent && message.method === 'Target.targetDestroyed') this.#heldEvent = undefined
    else this.#emit(message)
  }

  #followTarget({ method, params }: ProtocolMessage): void {
    if (method === 'Target.targetCreated') {
      const { targetId, type, isProvisional } = createdSchema.parse(params).targetInfo
      if (type !== 'page') return
      if (isProvisional) {
        this.#provisional = targetId
        this.#processes += 1
        return
      }
      this.#targetId = targetId
    } else if (method === 'Target.didCommitProvisionalTarget') {
      this.#targetId = this.#provisional
      this.#provisional = ''
      this.#interception.onDocumentShown(this.#targetId)
    } else if (method === 'Target.targetDestroyed' && params?.targetId === this.#provisional) {
      this.#provisional = ''
    }
  }

  /** The events that Playwright expects in place of this one. */
  #events(inner: ProtocolMessage, targetId: string): ProtocolMessage[] {
    const { method, params } = inner
    switch (method ?? '') {
      case 'Page.loadEventFired':
      case 'Page.domContentEventFired':
        return [{ method, params: { ...params, frameId: this.#mainFrame } }]
      case 'Page.frameNavigated':
        return this.#onFrameNavigated(inner)
      case 'Runtime.executionContextCreated': {
        const { context } = contextSchema.parse(params)
        const utility = {
          ...context,
          id: context.id + FIRST_UTILITY_CONTEXT,
          type: 'user',
          name: UTILITY_WORLD,
        }
        return context.type === 'normal' ? [inner, { method, params: { context: utility } }] : []
      }
      case 'Console.messageAdded':
        return this.#onConsole(inner)
      case 'Network.requestWillBeSent': {
        const { requestId, type, request } = requestSchema.parse(params)
        if (type !== 'Document') return [inner]
        this.#documentRequest = requestId
        this.#interception.documentUrl = request.url
        return [inner]
      }
      case 'Network.requestIntercepted': {
        const { requestId } = interceptedSchema.parse(params)
        return this.#interception.refuses(targetId, requestId) ? [] : [inner]
      }
      case 'Network.loadingFailed': {
        const { requestId, errorText } = failedSchema.parse(params)
        if (requestId !== this.#documentRequest) return [inner]
        this.#onDocumentFailed(targetId, inner, errorText)
        return []
      }
      default: {
        const tree = treeSchema.safeParse(inner.result)
        if (tree.success) this.#mainFrame = tree.data.frameTree.frame.id
        return [inner]
      }
    }
  }

  /** Fails the navigation, unless another process goes on with it: then the request of the first one is cancelled. */
  #onDocumentFailed(targetId: string, event: ProtocolMessage, reason: string): void {
    const navigation = this.#navigation
    const processes = this.#processes
    setTimeout(() => {
      if (this.#processes !== processes || (this.#provisional && this.#provisional !== targetId)) return
      this.#fromTarget(targetId, event)
      if (this.#navigation !== navigation) return
      navigation?.reject(new Error(reason))
      this.#navigation = undefined
    }, PROCESS_SWAP_WITHIN_MS)
  }

  #onFrameNavigated(inner: ProtocolMessage): ProtocolMessage[] {
    const { frame } = navigatedSchema.parse(inner.params)
    if (frame.parentId) return []
    this.#mainFrame = frame.id
    this.#navigation?.resolve({ loaderId: frame.loaderId })
    this.#navigation = undefined
    return [inner]
  }

  /** Bridges in the page report through the console. */
  #onConsole(inner: ProtocolMessage): ProtocolMessage[] {
    const { level, parameters: [tag, value, context] = [] } = consoleSchema.parse(inner.params).message
    if (level !== 'debug' || !tag) return [inner]
    if (tag.value === NAVIGATION_TAG) {
      // The page may go elsewhere within the document while the next one is requested.
      if (this.#navigation?.url === value?.value) {
        this.#navigation?.resolve({})
        this.#navigation = undefined
      }
      return [
        { method: 'Page.navigatedWithinDocument', params: { frameId: this.#mainFrame, url: value?.value } },
      ]
    }
    if (tag.value !== BINDING_TAG) return [inner]
    const { injectedScriptId } = objectIdSchema.parse(JSON.parse(context?.objectId ?? '{}'))
    return [
      { method: 'Runtime.bindingCalled', params: { contextId: injectedScriptId, argument: value?.value } },
    ]
  }
}

const objectIdSchema = z.object({ injectedScriptId: z.number() })
const targetSchema = z.object({
  targetId: z.string(),
  type: z.string(),
  isProvisional: z.boolean().optional(),
})
const createdSchema = z.object({ targetInfo: targetSchema })
const treeSchema = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) })

/** Playwright expects no targets but pages. */
function isOfPage({ method, params }: ProtocolMessage): boolean {
  if (method !== 'Target.targetCreated') return true
  return createdSchema.parse(params).targetInfo.type === 'page'
}
