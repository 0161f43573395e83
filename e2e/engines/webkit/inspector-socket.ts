import { connect, type Socket } from 'node:net'

export interface InspectorMessage {
  name: string
  /** The message's parameters, in GVariant's serialisation. */
  body: Buffer
}

const LITTLE_ENDIAN = 1
const HEADER_BYTES = 5
/** Connection and target, 64 bits each, before the text of a message. */
const ADDRESS_BYTES = 16
const CONNECTION = 1n

/**
 * WebKitGTK's remote inspector protocol: the size as 32 bits, a byte of flags, the message's name and a zero, its parameters. Follows
 * `Source/JavaScriptCore/inspector/remote/glib` and `Source/WTF/wtf/glib/SocketConnection.cpp`.
 */
export class InspectorSocket {
  readonly #socket: Socket

  private constructor(socket: Socket, receive: (message: InspectorMessage) => void) {
    this.#socket = socket
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= HEADER_BYTES) {
        const end = HEADER_BYTES + rest.readUInt32BE(0)
        if (rest.length < end) return
        const message = rest.subarray(HEADER_BYTES, end)
        rest = rest.subarray(end)
        const nameEnd = message.indexOf(0)
        receive({ name: message.toString('latin1', 0, nameEnd), body: message.subarray(nameEnd + 1) })
      }
    })
    socket.on('error', () => socket.destroy())
  }

  /** Connects, or fails if the browser does not listen yet. */
  static async open(port: number, receive: (message: InspectorMessage) => void): Promise<InspectorSocket> {
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new InspectorSocket(socket, receive)
  }

  /** `session` must be a UUID: the last byte is where its text ends. */
  startAutomation(session: string): void {
    const text = Buffer.from(`${session}\0`)
    const padding = Buffer.alloc((8 - (text.length % 8)) % 8)
    this.#send('StartAutomationSession', Buffer.concat([text, padding, Buffer.of(text.length)]))
  }

  attach(target: bigint): void {
    this.#send('Setup', address(target))
  }

  sendTo(target: bigint, message: object): void {
    const text = Buffer.from(`${JSON.stringify(message)}\0`)
    this.#send('SendMessageToBackend', Buffer.concat([address(target), text]))
  }

  close(): void {
    this.#socket.destroy()
  }

  #send(name: string, body: Buffer): void {
    const content = Buffer.concat([Buffer.from(`${name}\0`), body])
    const header = Buffer.alloc(HEADER_BYTES, LITTLE_ENDIAN)
    header.writeUInt32BE(content.length)
    this.#socket.write(Buffer.concat([header, content]))
  }
}

function address(target: bigint): Buffer {
  const bytes = Buffer.alloc(ADDRESS_BYTES)
  bytes.writeBigUInt64LE(CONNECTION)
  bytes.writeBigUInt64LE(target, 8)
  return bytes
}

/** The target and the text of a `SendMessageToFrontend`. */
export function readFromTarget(body: Buffer): { target: bigint; text: string } {
  return { target: body.readBigUInt64LE(8), text: body.toString('utf8', ADDRESS_BYTES, body.length - 1) }
}

/** The ids of a `SetTargetList`: each stands before its target's type. */
export function readTargets(body: Buffer, type: 'WebPage' | 'Automation'): bigint[] {
  const found: bigint[] = []
  for (let at = body.indexOf(`${type}\0`); at >= 0; at = body.indexOf(`${type}\0`, at + 1)) {
    found.push(body.readBigUInt64LE(at - 8))
  }
  return found
}
