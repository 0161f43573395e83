import { databaseAt, requireUsable, startTlsFront, type TlsFront } from '@saltfreak/backend/testing'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'

const serverUrl = inject('superuserUrl')

let front: TlsFront
beforeAll(async () => {
  front = await startTlsFront(serverUrl)
})
afterAll(() => front.close())

/** Returns why a start refuses an address of the encrypted server. */
function problemOf(host: string, parameters: Record<string, string>): Promise<string> {
  const url = new URL(databaseAt(serverUrl, 'bare'))
  url.host = `${host}:${front.port}`
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return requireUsable(url.href, { connections: 1, extensions: [] }).then(
    () => 'none',
    (error: Error) => error.message,
  )
}

it('accepts an encrypted server whose certificate the given authority signed for its name', async () => {
  const parameters = { sslmode: 'verify-full', sslrootcert: front.certificate }
  expect(await problemOf('localhost', parameters)).toBe('none')
})

it('refuses an encrypted server in one line when its certificate is not trusted', async () => {
  expect(await problemOf('localhost', { sslmode: 'verify-full' })).toBe(
    `the database at localhost:${front.port} does not answer: its certificate is not valid (self-signed certificate): give sslrootcert=<file> in DATABASE_URL`,
  )
})

it('refuses an encrypted server in one line when its certificate names another host', async () => {
  const parameters = { sslmode: 'verify-full', sslrootcert: front.certificate }
  const answer = await problemOf('127.0.0.1', parameters)

  expect(answer).toMatch(/its certificate is not valid \(.*\): use the host name that the certificate names$/)
  expect(answer).not.toContain('\n')
})

it('says that the file of the authority is missing', async () => {
  const parameters = { sslmode: 'verify-full', sslrootcert: '/nowhere/ca.pem' }
  expect(await problemOf('localhost', parameters)).toContain('ENOENT')
})
