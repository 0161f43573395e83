import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import { expect, it } from 'vitest'
import { withAuthorities } from './client-authorities.ts'

const SERVER = 'postgresql://shop@db.example/shop'
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function fingerprint(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256
}

it.each(['sslmode=verify-full', 'sslmode=verify-ca', 'sslmode=verify-full&sslrootcert=system'])(
  'lets libpq verify a server of a public authority with %s',
  async (parameters) => {
    const file = await withAuthorities(`${SERVER}?${parameters}`, async (url) => {
      const path = new URL(url).searchParams.get('sslrootcert') ?? ''
      // Not by its text: a test in the same process may have set the default authorities, which Node writes with other line breaks.
      const written = (await readFile(path, 'utf8')).match(CERTIFICATE)?.map(fingerprint)
      expect(written).toContain(fingerprint(rootCertificates[0] ?? ''))
      return path
    })

    expect(existsSync(file)).toBe(false)
  },
)

it.each(['', '?sslmode=require', '?sslmode=no-verify', '?sslmode=verify-full&sslrootcert=/etc/ca.pem'])(
  'leaves the address %s of a server to libpq when it names the authority or verifies none',
  async (parameters) => {
    const url = `${SERVER}${parameters}`

    expect(await withAuthorities(url, async (address) => address)).toBe(url)
  },
)
