import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { countTry, requireTries } from '#backend/auth/limits/take-try.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'
import type { Preamble } from '#backend/rest/create-rest.ts'
import { shopLimits, TOO_MANY } from './limits.ts'

/** What visitors may write without an account. */
const OPEN_TABLES = new Set(['contact_submissions', 'gallery_submissions', 'newsletter_signups'])

/** Mounted where photos for the gallery are uploaded. */
export function limitUploads(owner: Pool) {
  return createMiddleware<{ Variables: EdgeVariables }>(async (c, next) => {
    const address = c.get('remoteAddress')
    const isUpload = c.req.method === 'POST' || c.req.method === 'PUT'
    if (!isUpload || !address) return next()

    if (await countTry(owner, { ...shopLimits.upload, subject: address })) return next()
    return c.json({ statusCode: '429', error: 'too_many_sent', message: TOO_MANY }, 429)
  })
}

/** Mounted at `/rest/v1/:table`, behind the gateway: counts the rows that one address sends to the open tables. */
export function limitVisitors() {
  return createMiddleware<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:table'>(
    (c, next) => {
      const isOpen = c.req.method === 'POST' && OPEN_TABLES.has(c.req.param('table'))
      const subject = c.get('remoteAddress')
      if (isOpen && subject && c.get('caller').role !== 'service_role') {
        c.set('preamble', (rows) => requireTries([{ ...shopLimits.visitor, subject, cost: rows }], TOO_MANY))
      }
      return next()
    },
  )
}
