import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  smtpUrl: string
  /** Everything received so far, oldest first. */
  mails: ReceivedMail[]
  /** Waits for a matching mail, including one that has already arrived. */
  waitFor(matches: (mail: ReceivedMail) => boolean, withinMs?: number): Promise<ReceivedMail>
  close(): Promise<void>
}

interface ReceivedMail extends Email {
  /** The envelope's recipients. */
  recipients: string[]
}

const WAIT_MS = 20_000

/** Starts a real mail server on loopback that stores received mails. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      // oxlint-disable-next-line promise/no-callback-in-promise -- the library supports only callbacks
      keep(stream, recipients).then(() => done(), done)
    },
  })
  async function keep(stream: NodeJS.ReadableStream, recipients: string[]) {
    mails.push({ ...(await PostalMime.parse(await buffer(stream))), recipients })
    for (const look of waiting) look()
  }
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (!address || typeof address === 'string') throw new Error('the mail server listens on no port')

  return {
    smtpUrl: `smtp://127.0.0.1:${address.port}`,
    mails,
    waitFor(matches, withinMs = WAIT_MS) {
      return new Promise((settle, fail) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(look)
        }
        const look = () => {
          const mail = mails.find(matches)
          if (!mail) return
          end()
          settle(mail)
        }
        const timer = setTimeout(() => {
          end()
          const seen = mails.map(({ subject, recipients }) => `${subject} → ${recipients.join()}`)
          fail(new Error(`no such mail came; there were: ${seen.join('; ') || 'none'}`))
        }, withinMs)
        waiting.add(look)
        look()
      })
    },
    close: () => new Promise((settle) => server.close(() => settle())),
  }
}
