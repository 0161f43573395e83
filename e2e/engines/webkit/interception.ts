type Call = (targetId: string, method: string, params: object) => Promise<Record<string, unknown>>

const EVERYTHING = { url: '.*', stage: 'request', isRegex: true }

/** Decides about a page's requests before they are sent: which of them Playwright hears of, and that none leaves while offline. */
export class Interception {
  readonly #call: Call
  #isWanted = false
  #isOffline = false
  /** The address of the document that is shown or loads. */
  documentUrl = ''
  /** What the process of the next document intercepts until it shows that document. */
  #first: object | undefined

  constructor(call: Call) {
    this.#call = call
  }

  setEnabled(targetId: string, isWanted: boolean): Promise<Record<string, unknown>> {
    this.#isWanted = isWanted
    return this.#call(targetId, 'Network.setInterceptionEnabled', { enabled: isWanted || this.#isOffline })
  }

  /**
   * The process of the next document takes over its request, which the previous process sent; if that is intercepted again, it never
   * ends.
   */
  addInNextProcess(targetId: string): Promise<Record<string, unknown>> {
    this.#first = { ...EVERYTHING, url: `^(?!${escaped(this.documentUrl)}$)` }
    return this.#call(targetId, 'Network.addInterception', this.#first)
  }

  /** From now on the process also intercepts requests for the address of its document. */
  onDocumentShown(targetId: string): void {
    const first = this.#first
    if (!first) return
    this.#first = undefined
    const calls = [
      this.#call(targetId, 'Network.removeInterception', first),
      this.#call(targetId, 'Network.addInterception', EVERYTHING),
    ]
    // A page that closes meanwhile needs none.
    void Promise.allSettled(calls)
  }

  async setOffline(targetId: string, isOffline: boolean): Promise<Record<string, unknown>> {
    if (isOffline === this.#isOffline) return {}
    this.#isOffline = isOffline
    // Playwright may have done both already, which is an error.
    await this.setEnabled(targetId, this.#isWanted).catch(() => undefined)
    if (isOffline) await this.#call(targetId, 'Network.addInterception', EVERYTHING).catch(() => undefined)
    const expression = `(${setOnline.toString()})(${!isOffline})`
    return this.#call(targetId, 'Runtime.evaluate', { expression })
  }

  /** Fails the request if the page is offline. */
  refuses(targetId: string, requestId: string): boolean {
    if (!this.#isOffline) return false
    const failure = { requestId, errorType: 'General' }
    void this.#call(targetId, 'Network.interceptRequestWithError', failure).catch(() => undefined)
    return true
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Runs in the page; self-contained. */
function setOnline(isOnline: boolean): void {
  Object.defineProperty(Navigator.prototype, 'onLine', { configurable: true, get: () => isOnline })
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}
