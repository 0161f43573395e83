import { z } from 'zod'

/** A command, its answer or an event of WebKit's inspector protocol. */
const messageSchema = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ message: z.string().optional() }).optional(),
  pageProxyId: z.string().optional(),
})
export type ProtocolMessage = z.infer<typeof messageSchema>

export const parseMessage = (text: string): ProtocolMessage => messageSchema.parse(JSON.parse(text))

/** Commands of our own have ids that Playwright never counts up to; WebKit's are of 32 bits. */
const FIRST_OWN_ID = 2 ** 30

/** Sends commands and waits for their answers. */
export class PendingCommands {
  #lastId = FIRST_OWN_ID
  readonly #waiting = new Map<number, (answer: ProtocolMessage) => void>()

  /** Returns the result; throws the protocol's error. */
  async call(send: (id: number) => void, method: string): Promise<Record<string, unknown>> {
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve } = Promise.withResolvers<ProtocolMessage>()
    this.#waiting.set(id, resolve)
    send(id)
    const { result, error } = await promise
    if (error) throw new Error(`${method}: ${error.message ?? JSON.stringify(error)}`)
    return result ?? {}
  }

  /** Whether the message answers a command of this caller. */
  accept(message: ProtocolMessage): boolean {
    const resolve = message.id === undefined ? undefined : this.#waiting.get(message.id)
    if (!resolve || message.id === undefined) return false
    this.#waiting.delete(message.id)
    resolve(message)
    return true
  }

  /** Fails the commands that a closed browser will not answer. */
  close(): void {
    for (const resolve of this.#waiting.values()) resolve({ error: { message: 'the browser has closed' } })
    this.#waiting.clear()
  }
}
