import { parseError } from '../errors.ts'
import { isReserved } from '../sql.ts'

const NAME_CHARACTERS = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy

/** Parses a query parameter from left to right. Throws PGRST100 with the position of the error. */
export class Scanner {
  readonly #text: string
  readonly #what: string
  #position = 0

  constructor(text: string, what: string) {
    this.#text = text
    this.#what = what
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#text.length
  }

  get next(): string {
    return this.#text[this.#position] ?? ''
  }

  get rest(): string {
    return this.#text.slice(this.#position)
  }

  looksAt(text: string): boolean {
    return this.#text.startsWith(text, this.#position)
  }

  /** Consumes the text if it is next. */
  eat(text: string): boolean {
    if (!this.looksAt(text)) return false
    this.#position += text.length
    return true
  }

  expect(text: string, expected = `"${text}"`): void {
    if (!this.eat(text)) this.fail(expected)
  }

  /** Consumes what the sticky expression matches at this position. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#position
    const match = sticky.exec(this.#text)
    if (match) this.#position = sticky.lastIndex
    return match
  }

  skipSpaces(): void {
    while (this.next === ' ' || this.next === '\t') this.#position += 1
  }

  /** Runs `read` and restores the position if it returns null. */
  attempt<T>(read: () => T | null): T | null {
    const start = this.#position
    const result = read()
    if (result === null) this.#position = start
    return result
  }

  /** `name`, `name-with-dashes` or `"any thing"`. */
  name(expected = 'field name (* or [a..z0..9_$])'): string {
    return this.findName() ?? this.fail(expected)
  }

  findName(): string | null {
    if (this.next === '"') return this.quoted()
    const name = this.match(NAME_CHARACTERS)?.[0].trim()
    return name || null
  }

  /** Text in double quotes, where a backslash escapes the next character. Null when the closing quote is missing. */
  findQuoted(): string | null {
    return this.attempt(() => {
      if (!this.eat('"')) return null
      let text = ''
      while (!this.isAtEnd && this.next !== '"') {
        if (this.next === '\\') this.#position += 1
        text += this.next
        this.#position += 1
      }
      // PostgreSQL would end the statement's text at a NUL.
      if (text.includes('\0')) this.fail('any character but NUL')
      if (isReserved(text)) this.fail('a name without reserved characters')
      return this.eat('"') ? text : null
    })
  }

  quoted(): string {
    return this.findQuoted() ?? this.fail('"\\""')
  }

  expectEnd(): void {
    if (!this.isAtEnd) this.fail('"," or end of input')
  }

  fail(expected: string): never {
    const found = this.isAtEnd ? 'end of input' : JSON.stringify(this.next)
    throw parseError(this.#what, this.#text, {
      position: this.#position + 1,
      details: `unexpected ${found} expecting ${expected}`,
    })
  }
}
