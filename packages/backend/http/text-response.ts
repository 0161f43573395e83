export interface TextInit extends Omit<ResponseInit, 'headers'> {
  headers: Record<string, string>
}

/** Global symbol, because this module is loaded twice in a process (decision 0002). */
const TEXT = Symbol.for('the text of a TextResponse')

/** Text, or bytes in the encoding that the headers name. */
type Text = string | Buffer

/** Returns a `TextResponse`'s content without reading its stream; null for other responses. */
export function textOfResponse(answer: Response): Text | null {
  if (!(TEXT in answer)) return null
  return typeof answer[TEXT] === 'string' || answer[TEXT] instanceof Buffer ? answer[TEXT] : null
}

/**
 * A Response that keeps its text, so that the web server can send it directly. Node's Response creates a stream for every body, which
 * costs more than the rest of the response; this one creates it lazily.
 */
export class TextResponse extends Response {
  readonly [TEXT]: Text
  #streamed: Response | undefined
  #isRead = false

  constructor(content: Text, { headers, ...init }: TextInit) {
    const length = String(Buffer.byteLength(content))
    super(null, { ...init, headers: { ...headers, 'content-length': length } })
    this[TEXT] = content
  }

  get #whole(): Response {
    if (this.#isRead) throw new TypeError('Body is unusable: Body has already been read')
    const text = this[TEXT]
    this.#streamed ??= new Response(typeof text === 'string' ? text : new Uint8Array(text), this)
    return this.#streamed
  }

  override get body() {
    return this.#whole.body
  }

  override get bodyUsed() {
    return this.#isRead || (this.#streamed?.bodyUsed ?? false)
  }

  /** Needs no stream. */
  override async text() {
    if (this.#streamed || this.#isRead) return this.#whole.text()
    this.#isRead = true
    return String(this[TEXT])
  }

  override json() {
    return this.#whole.json()
  }

  override arrayBuffer() {
    return this.#whole.arrayBuffer()
  }

  override bytes() {
    return this.#whole.bytes()
  }

  override blob() {
    return this.#whole.blob()
  }

  override formData() {
    return this.#whole.formData()
  }

  override clone() {
    return this.#whole.clone()
  }
}
