import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'

const VERIFYING_MODES = new Set(['verify-ca', 'verify-full'])

/**
 * Calls `work` with an address with which libpq trusts the certificate authorities that Node trusts, as the shop's own connections do.
 * Without a file, libpq refuses to verify a server, and `sslrootcert=system` only since version 16. The file exists while `work` runs.
 */
export async function withAuthorities<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const address = new URL(url)
  const { searchParams } = address
  const given = searchParams.get('sslrootcert')
  const needsFile = given ? given === 'system' : VERIFYING_MODES.has(searchParams.get('sslmode') ?? '')
  if (!needsFile) return work(url)
  const folder = await mkdtemp(join(tmpdir(), 'authorities-'))
  try {
    const file = join(folder, 'authorities.pem')
    await writeFile(file, getCACertificates('default').join('\n'))
    searchParams.set('sslrootcert', file)
    return await work(address.href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
