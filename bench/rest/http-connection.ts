import { connect, type Socket } from 'node:net'

import { PUBLISHABLE_KEY, type Case } from './cases.ts'

/** As little of a client as will do: on two cores a real one would be a part of what is measured. */
export class HttpConnection {
  readonly #socket: Socket
  readonly #method: string
  readonly #path: Case['path']
  readonly #afterPath: string
  #received = ''
  #answered: ((status: number) => void) | undefined

  constructor(port: number, { method, path, body = '', prefer }: Case) {
    this.#method = method
    this.#path = path
    const headers = [
      ' HTTP/1.1',
      'Host: bench',
      `apikey: ${PUBLISHABLE_KEY}`,
      'Content-Type: application/json',
      ...(body ? [`Content-Length: ${body.length}`] : []),
      ...(prefer ? [`Prefer: ${prefer}`] : []),
    ]
    this.#afterPath = `${headers.join('\r\n')}\r\n\r\n${body}`
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => this.#receive(text))
  }

  /** Sends one request and waits for the whole of its answer. */
  async ask(film: number): Promise<void> {
    this.#socket.write(`${this.#method} /rest/v1${this.#path(film)}${this.#afterPath}`)
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#answered = resolve
    const status = await promise
    if (status >= 300) throw new Error(`${this.#path(film)} was answered with ${status}`)
  }

  #receive(text: string): void {
    this.#received += text
    const bodyStart = this.#received.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1])
    if (bodyStart < 4 || this.#received.length < bodyStart + length) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ''
    this.#answered?.(status)
  }

  close(): void {
    this.#socket.destroy()
  }
}
