import { unreadable } from '../errors.ts'
import { isReserved } from '../sql.ts'

const NAME_CHARACTERS = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy

/** Reads a query parameter from left to right. What does not fit is a PGRST100 that says where. */
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

  /** Takes the text if it stands here. */
  eat(text: string): boolean {
    if (!this.looksAt(text)) return false
    this.#position += text.length
    return true
  }

  expect(text: string, expected = `"${text}"`): void {
    if (!this.eat(text)) this.fail(expected)
  }

  /** Takes what the sticky expression matches here. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#position
    const match = sticky.exec(this.#text)
    if (match) this.#position = sticky.lastIndex
    return match
  }

  skipSpaces(): void {
    while (this.next === ' ' || this.next === '\t') this.#position += 1
  }

  /** Tries one way to read on; goes back if it fails. */
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

  /** A text in double quotes; a backslash makes the next character part of it. Null when the closing quote is missing. */
  findQuoted(): string | null {
    return this.attempt(() => {
      if (!this.eat('"')) return null
      let text = ''
      while (!this.isAtEnd && this.next !== '"') {
        if (this.next === '\\') this.#position += 1
        text += this.next
        this.#position += 1
      }
      // PostgreSQL ends a text at the first NUL, and the rest of a statement with it.
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
    throw unreadable(this.#what, this.#text, {
      position: this.#position + 1,
      details: `unexpected ${found} expecting ${expected}`,
    })
  }
}
