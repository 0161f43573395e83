import { once } from 'node:events'

import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** How the mail server behaves. */
type DeliveryBehaviour = 'accepts' | 'refuses the recipient' | 'is busy'

export interface TestMailServer {
  url: string
  /** Every accepted mail, parsed. */
  received(): Promise<Email[]>
  empty(): void
  behaviour: DeliveryBehaviour
  /** Addresses that are always rejected. */
  unknown: Set<string>
  /** Delays the response to all further mails; `begun` resolves with the first, `count` is how many wait, `release` accepts all. */
  hold(): Held
  close(): Promise<void>
}

interface WaitingMails {
  add: (accept: () => void) => void
}

interface Held {
  begun: Promise<void>
  count: () => number
  release: () => void
}

/** Starts a real SMTP server on loopback. Pass `port` to restart one on the same port. */
export async function startMailServer(port = 0): Promise<TestMailServer> {
  const sources: Buffer[] = []
  let waiting: WaitingMails | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo(address, _session, callback) {
      if (room.behaviour !== 'refuses the recipient' && !room.unknown.has(address.address)) return callback()
      callback(
        Object.assign(new Error(`No mailbox here by the name ${address.address}`), { responseCode: 550 }),
      )
    },
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      const accept = () => {
        sources.push(Buffer.concat(chunks))
        callback()
      }
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (room.behaviour === 'is busy') {
          callback(Object.assign(new Error('Try again later'), { responseCode: 451 }))
          return
        }
        if (waiting) waiting.add(accept)
        else accept()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (!address || typeof address === 'string') throw new Error('the mail server listens on no port')

  const room: TestMailServer = {
    url: `smtp://127.0.0.1:${address.port}`,
    received: () => Promise.all(sources.map((source) => PostalMime.parse(source))),
    empty: () => void sources.splice(0),
    behaviour: 'accepts',
    unknown: new Set(),
    hold() {
      const begun = Promise.withResolvers<void>()
      const held: (() => void)[] = []
      waiting = {
        add(accept) {
          held.push(accept)
          begun.resolve()
        },
      }
      return {
        begun: begun.promise,
        count: () => held.length,
        release() {
          waiting = null
          for (const accept of held) accept()
        },
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return room
}
