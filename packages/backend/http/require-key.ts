import { createMiddleware } from 'hono/factory'

import { unauthorizedResponse, noKey, unknownKey } from './errors.ts'
import { createKeyRing, type GatewayKeys } from './keys.ts'

export interface KeyOptions {
  keys: GatewayKeys
  /** Accepts keys signed with the legacy shared secret. */
  legacySecret?: string
  /** Endings of paths that need no key: mailed links, and addresses that other servers read. */
  open: string[]
}

/** Requires a valid API key, for services that verify access tokens themselves. */
export function requireKey({ keys, legacySecret, open }: KeyOptions) {
  const findKeyRole = createKeyRing(keys, legacySecret)
  return createMiddleware(async (c, next) => {
    if (c.req.method === 'OPTIONS' || open.some((ending) => c.req.path.endsWith(`/v1${ending}`)))
      return next()
    const key = c.req.header('apikey') ?? c.req.query('apikey')
    if (!key) return unauthorizedResponse(noKey)
    if (!(await findKeyRole(key))) return unauthorizedResponse(unknownKey)
    return next()
  })
}
