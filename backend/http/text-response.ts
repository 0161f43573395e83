export interface TextInit extends Omit<ResponseInit, 'headers'> {
  headers: Record<string, string>
}

/** Of the whole process: this module exists twice where a bundle and native code meet (decision 0002). */
const TEXT = Symbol.for('the text of a TextResponse')

/** The text of an answer that has it at hand. */
export function textOf(answer: Response): string | null {
  return TEXT in answer && typeof answer[TEXT] === 'string' ? answer[TEXT] : null
}

/**
 * A Response whose text stays at hand, so that the web server can send it as it is. Node's own makes a stream of every
 * body at once, which costs more than all else about an answer; this one waits until somebody asks for it.
 */
export class TextResponse extends Response {
  readonly [TEXT]: string
  #streamed: Response | undefined

  constructor(content: string, { headers, ...init }: TextInit) {
    const length = String(Buffer.byteLength(content))
    super(null, { ...init, headers: { ...headers, 'Content-Length': length } })
    this[TEXT] = content
  }

  get #whole(): Response {
    this.#streamed ??= new Response(this[TEXT], this)
    return this.#streamed
  }

  override get body() {
    return this.#whole.body
  }

  override get bodyUsed() {
    return this.#streamed?.bodyUsed ?? false
  }

  override text() {
    return this.#whole.text()
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
