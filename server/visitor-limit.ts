import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { countTry } from '#backend/auth/limits/take-try.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'

/** What anybody may write without an account. Each row starts mails or waits for a person. */
const OPEN_TABLES = new Set(['contact_submissions', 'gallery_submissions', 'newsletter_signups'])
/** Wide, because a mobile network is one address. */
const SENT_PER_ADDRESS = { tries: 60, periodSeconds: 3600 }

/** A submission or six with all the photos that the form takes; each is up to 5 MB of the disk. */
const PHOTOS_PER_ADDRESS = { tries: 120, periodSeconds: 3600 }

/** Mounted where photos for the gallery are uploaded. */
export function limitUploads(owner: Pool) {
  return createMiddleware<{ Variables: EdgeVariables }>(async (c, next) => {
    const address = c.get('remoteAddress')
    const isUpload = c.req.method === 'POST' || c.req.method === 'PUT'
    if (!isUpload || !address) return next()

    if (await countTry(owner, { bucket: 'upload', subject: address, limit: PHOTOS_PER_ADDRESS }))
      return next()
    const message = 'Very much was sent from your network. Please try again later.'
    return c.json({ statusCode: '429', error: 'too_many_sent', message }, 429)
  })
}

/** Mounted at `/rest/v1/:table`, behind the gateway: counts what one address sends to the open tables. */
export function limitVisitors(owner: Pool) {
  return createMiddleware<{ Variables: EdgeVariables & GatewayVariables }, '/:table'>(async (c, next) => {
    const isOpen = c.req.method === 'POST' && OPEN_TABLES.has(c.req.param('table'))
    const address = c.get('remoteAddress')
    if (!isOpen || !address || c.get('caller').role === 'service_role') return next()

    if (await countTry(owner, { bucket: 'visitor', subject: address, limit: SENT_PER_ADDRESS })) return next()
    const message = 'Very much was sent from your network. Please try again later.'
    return c.json({ code: 'PT429', details: 'too_many_sent', hint: null, message }, 429)
  })
}
