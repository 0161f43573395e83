import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { countTry, requireTries } from '#backend/auth/limits/take-try.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'
import type { Preamble } from '#backend/rest/create-rest.ts'
import { bucketOfUpload } from '#backend/storage/resumable/upload-metadata.ts'
import { GALLERY_FULL, shopLimits, TOO_MANY } from './limits.ts'

/** What visitors may write without an account. */
const OPEN_TABLES = new Set(['contact_submissions', 'gallery_submissions', 'newsletter_signups'])

/** Where visitors put files. */
const OPEN_BUCKETS = new Set(['gallery', 'gallery-private'])

/**
 * A photo counts as at most the largest that the bucket takes, also when no size is announced: the service refuses a larger one, and
 * one refused request must not use up the kilobytes of all visitors.
 */
const LARGEST_KILOBYTES = 5 * 1024
const WARN_EVERY_MS = 3_600_000

interface Edge {
  Variables: EdgeVariables
}

type UploadLog = Pick<Logger, 'warn'>

/** Mounted where photos for the gallery are uploaded whole. */
export function limitUploads(owner: Pool, log: UploadLog) {
  return countUploads(owner, log, ({ req }) => {
    const isUpload = req.method === 'POST' || req.method === 'PUT'
    return isUpload ? kilobytesOf(req.header('content-length')) : null
  })
}

/** Mounted where uploads begin that may continue later: counts those to the gallery's buckets and to signed addresses. */
export function limitResumableUploads(owner: Pool, log: UploadLog) {
  return countUploads(owner, log, ({ req }) => {
    const bucket = bucketOfUpload(req.header('upload-metadata'))
    if (req.method !== 'POST' || bucket === null) return null
    const isOpen = req.path.endsWith('/sign') || OPEN_BUCKETS.has(bucket)
    return isOpen ? kilobytesOf(req.header('upload-length')) : null
  })
}

/** Counts uploads by address and for the whole shop; `announced` gives the size in kB, null for what is no upload. */
function countUploads(owner: Pool, log: UploadLog, announced: (c: Context<Edge>) => number | null) {
  let warnedAt = -Infinity

  async function hasRoom(kilobytes: number): Promise<boolean> {
    const { uploadsPerShop, uploadedKilobytesPerShop } = shopLimits
    const isTaken =
      (await countTry(owner, { ...uploadsPerShop, subject: 'shop' })) &&
      (await countTry(owner, { ...uploadedKilobytesPerShop, subject: 'shop', cost: kilobytes }))
    if (!isTaken && Date.now() - warnedAt > WARN_EVERY_MS) {
      warnedAt = Date.now()
      log.warn({ uploadsPerShop, uploadedKilobytesPerShop }, 'the gallery has used up its uploads of the day')
    }
    return isTaken
  }

  return createMiddleware<Edge>(async (c, next) => {
    const address = c.get('remoteAddress')
    const kilobytes = announced(c)
    if (kilobytes === null || !address) return next()

    if (!(await countTry(owner, { ...shopLimits.upload, subject: address })))
      return c.json({ statusCode: '429', error: 'too_many_sent', message: TOO_MANY }, 429)
    if (await hasRoom(kilobytes)) return next()
    return c.json({ statusCode: '429', error: 'gallery_full', message: GALLERY_FULL }, 429)
  })
}

function kilobytesOf(length: string | undefined): number {
  if (!length || !/^\d{1,12}$/.test(length)) return LARGEST_KILOBYTES
  return Math.min(Math.ceil(Number(length) / 1024), LARGEST_KILOBYTES)
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
