import { connect, type Socket } from 'node:net'

interface Answer {
  status: number
  /** Latin-1 text of the bytes. */
  body: string
}

/** A minimal HTTP client: on two cores, the CPU time of a complete one would distort the measurement. */
export class HttpConnection {
  readonly #socket: Socket
  #received = ''
  #answered: ((answer: Answer) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => this.#receive(text))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('The connection was closed')))
  }

  /** Sends one request and resolves with its response, which must have a Content-Length. */
  query(request: string): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#answered = resolve
    this.#failed = reject
    this.#socket.write(request)
    return promise
  }

  #receive(text: string): void {
    this.#received += text
    const bodyStart = this.#received.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1])
    if (bodyStart < 4 || this.#received.length < bodyStart + length) return
    const status = Number(this.#received.slice(9, 12))
    const body = this.#received.slice(bodyStart)
    this.#received = ''
    this.#answered?.({ status, body })
  }

  close(): void {
    this.#socket.destroy()
  }
}

export interface HttpRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Serializes a request. */
export function requestOf({ method, path, headers, body = '' }: HttpRequest): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: bench',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
