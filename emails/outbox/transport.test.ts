import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, it } from 'vitest'
import { type OutgoingMail, smtpDelivery } from './transport.ts'

const MAIL: OutgoingMail = {
  messageId: '<1@shop.example>',
  to: 'thandi@example.com',
  replyTo: null,
  subject: 'Your order',
  html: '<p>Thanks</p>',
  text: 'Thanks',
  unsubscribeUrl: null,
}

function portOf(server: Pick<Server, 'address'>): number {
  const bound = server.address()
  if (!bound || typeof bound === 'string') throw new Error('the server listens on no port')
  return bound.port
}

it('signs in at the mail server with the name and the password of SMTP_URL', async () => {
  const signedIn: unknown[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      signedIn.push({ username, password })
      callback(null, { user: username })
    },
    onData(stream, _session, callback) {
      stream.resume().on('end', () => callback())
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const port = portOf(server.server)

  await smtpDelivery(`smtp://shop%40example.com:p%2Fw@127.0.0.1:${port}`, 'shop@example.com')(MAIL)

  expect(signedIn).toEqual([{ username: 'shop@example.com', password: 'p/w' }])
  await new Promise<void>((resolve) => server.close(resolve))
})

it('begins with TLS at a mail server whose address is smtps://', async () => {
  const TLS_HANDSHAKE = 22
  const first = Promise.withResolvers<number | undefined>()
  const server = createServer((socket) =>
    socket.once('data', (data) => {
      first.resolve(data[0])
      socket.destroy()
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)

  await expect(smtpDelivery(`smtps://127.0.0.1:${port}`, 'shop@example.com')(MAIL)).rejects.toThrow()

  expect(await first.promise).toBe(TLS_HANDSHAKE)
  server.close()
})
