export interface TextInit extends Omit<ResponseInit, 'headers'> {
  headers: Record<string, string>
}

/** Of the whole process: this module exists twice where a bundle and native code meet (decision 0002). */
const TEXT = Symbol.for('the text of a TextResponse')

/** Or its bytes, in whatever encoding the headers name. */
type Text = string | Buffer

/** The text of an answer that has it at hand. */
export function textOf(answer: Response): Text | null {
  if (!(TEXT in answer)) return null
  return typeof answer[TEXT] === 'string' || answer[TEXT] instanceof Buffer ? answer[TEXT] : null
}

/**
 * A Response whose text stays at hand, so that the web server can send it as it is. Node's own makes a stream of every
 * body at once, which costs more than all else about an answer; this one waits until somebody asks for it.
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

  /** The one way that needs no stream. */
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
