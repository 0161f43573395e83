import type { Context } from 'hono'

import type { FileStore } from '../files/file-store.ts'

/** Nothing else is ever stored under the key of a derivative. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Refers the client to an address at which everyone may read the file; null when this process must send it. */
export async function redirectToPublicFile(
  files: FileStore,
  c: Context,
  key: string,
): Promise<Response | null> {
  // The name of a download is in a header that only this process sends.
  if (c.req.query('download') !== undefined) return null
  const address = await files.publicAddress(key)
  if (!address) return null
  const headers = {
    Location: address.url,
    'Cache-Control': `public, max-age=${address.maxAgeSeconds}`,
  }
  return new Response(null, { status: 302, headers })
}
