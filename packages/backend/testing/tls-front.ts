import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'

export interface TlsFront {
  port: number
  /** Path of the certificate that clients must trust. */
  certificate: string
  close(): Promise<void>
}

/** Length of PostgreSQL's SSLRequest. */
const REQUEST_BYTES = 8

const SELF_SIGNED =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(
    ' ',
  )

/** Encrypts connections to a PostgreSQL, with a certificate of its own for the host name `localhost`. */
export async function startTlsFront(serverUrl: string): Promise<TlsFront> {
  const folder = await mkdtemp(join(tmpdir(), 'tls-front-'))
  const [keyFile, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const files = ['-keyout', keyFile, '-out', certificate]
  await promisify(execFile)('openssl', [...SELF_SIGNED, ...files])
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certificate)])
  const sockets = new Set<Socket>()
  const front = createServer((client) => {
    sockets.add(client.on('close', () => sockets.delete(client)).on('error', () => client.destroy()))
    client.once('readable', () => {
      client.read(REQUEST_BYTES)
      client.write('S')
      const secure = new TLSSocket(client, { isServer: true, key, cert })
      const server = connect(Number(new URL(serverUrl).port), '127.0.0.1')
      secure.on('error', () => server.destroy()).pipe(server)
      server.on('error', () => secure.destroy()).pipe(secure)
    })
  })
  await new Promise<void>((settle) => front.listen(0, 'localhost', settle))
  const address = front.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    certificate,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((settle) => front.close(settle))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
