// oxlint-disable typescript/no-explicit-any -- Responses of an external protocol; each caller reads its own.

const ANSWER_WITHIN_MS = 30_000

interface Waiting {
  resolve: (result: any) => void
  reject: (error: Error) => void
}

/** A WebDriver BiDi connection: commands with responses, and events (https://w3c.github.io/webdriver-bidi/). */
export class BidiConnection {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<string, (params: any) => void>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser closed the connection'))
    })
  }

  static open(address: string): Promise<BidiConnection> {
    const socket = new WebSocket(address)
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve(new BidiConnection(socket)), { once: true })
      socket.addEventListener('error', () => reject(new Error(`no connection to ${address}`)), { once: true })
    })
  }

  send(method: string, params: object): Promise<any> {
    this.#lastId += 1
    const id = this.#lastId
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} had no answer`)), ANSWER_WITHIN_MS)
      const settle = () => {
        clearTimeout(timer)
        this.#waiting.delete(id)
      }
      this.#waiting.set(id, {
        resolve: (result) => (settle(), resolve(result)),
        reject: (error) => (settle(), reject(error)),
      })
    })
  }

  onEvent(method: string, listener: (params: any) => void): void {
    this.#listeners.set(method, listener)
  }

  close(): void {
    this.#socket.close()
  }

  #receive(message: any): void {
    if (message.id === undefined) return this.#listeners.get(message.method)?.(message.params)
    const waiting = this.#waiting.get(message.id)
    if (message.type === 'error') waiting?.reject(new Error(`${message.error}: ${message.message}`))
    else waiting?.resolve(message.result)
  }
}
