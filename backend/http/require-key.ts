import { createMiddleware } from 'hono/factory'

import { answerRefusal, noKey, unknownKey } from './errors.ts'
import { createKeyRing, type GatewayKeys } from './keys.ts'

export interface KeyOptions {
  keys: GatewayKeys
  /** Lets keys signed with the old shared secret in. */
  legacySecret?: string
  /** Followed from a mail or read by other servers, which know no key: a path that ends like this is open. */
  open: string[]
}

/** For a service that reads tokens itself, as the accounts do: whoever calls must only be a client of this shop. */
export function requireKey({ keys, legacySecret, open }: KeyOptions) {
  const findKeyRole = createKeyRing(keys, legacySecret)
  return createMiddleware(async (c, next) => {
    if (c.req.method === 'OPTIONS' || open.some((ending) => c.req.path.endsWith(`/v1${ending}`)))
      return next()
    const key = c.req.header('apikey') ?? c.req.query('apikey')
    if (!key) return answerRefusal(noKey)
    if (!(await findKeyRole(key))) return answerRefusal(unknownKey)
    return next()
  })
}
