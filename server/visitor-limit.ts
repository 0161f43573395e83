import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { countTry, requireTries } from '#backend/auth/limits/take-try.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'
import type { Preamble } from '#backend/rest/create-rest.ts'
import { bucketOfUpload } from '#backend/storage/resumable/upload-metadata.ts'
import { shopLimits, TOO_MANY } from './limits.ts'

/** What visitors may write without an account. */
const OPEN_TABLES = new Set(['contact_submissions', 'gallery_submissions', 'newsletter_signups'])

/** Where visitors put files. */
const OPEN_BUCKETS = new Set(['gallery', 'gallery-private'])

interface Edge {
  Variables: EdgeVariables
}

/** Mounted where photos for the gallery are uploaded whole. */
export function limitUploads(owner: Pool) {
  return countUploads(owner, ({ req }) => req.method === 'POST' || req.method === 'PUT')
}

/** Mounted where uploads begin that may continue later: counts those to the gallery's buckets and to signed addresses. */
export function limitResumableUploads(owner: Pool) {
  return countUploads(owner, ({ req }) => {
    const bucket = bucketOfUpload(req.header('upload-metadata'))
    if (req.method !== 'POST' || bucket === null) return false
    return req.path.endsWith('/sign') || OPEN_BUCKETS.has(bucket)
  })
}

function countUploads(owner: Pool, isUpload: (c: Context<Edge>) => boolean) {
  return createMiddleware<Edge>(async (c, next) => {
    const address = c.get('remoteAddress')
    if (!isUpload(c) || !address) return next()

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
