import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import {
  bucketOfUpload,
  type Caller,
  type EdgeVariables,
  type GatewayVariables,
  type Preamble,
  type RateLimit,
  rateLimitStatement,
  tryConsumeRateLimit,
} from '@saltfreak/backend'
import { withSubject } from './call-limit.ts'
import {
  declaredKilobytes,
  type GalleryBudget,
  isForGallery,
  UPLOAD_REFUSALS,
  type UploadRefusal,
} from './gallery-budget.ts'
import { shopLimits, TOO_MANY_REQUESTS } from './limits.ts'

/** The tables that visitors may insert into without an account. */
const OPEN_TABLES = new Set(['contact_submissions', 'gallery_submissions', 'newsletter_signups'])

/** Below this path, POST creates a signed address and PUT uploads to one. */
const SIGNED = '/object/upload/sign/'

type Edge = { Variables: EdgeVariables }

/** For uploads in one request. A refused or aborted upload does not use up the daily budget. */
export function limitUploads(owner: Pool, budget: GalleryBudget) {
  return createMiddleware<Edge>(async (c, next) => {
    const { method, path } = c.req
    const sender = c.get('remoteAddress')
    if (!sender || (method !== 'POST' && method !== 'PUT')) return next()
    if (!(await isAllowed(owner, c))) return refuse(c, 'too_many_sent')
    if (method === 'POST' && path.includes(SIGNED)) return next()

    const photo = { kilobytes: declaredKilobytes(c.req.header('content-length')), sender }
    const refusal = await budget.take(photo)
    if (refusal) return refuse(c, refusal)
    await next()
    if (!c.res.ok) await budget.giveBack(photo)
  })
}

/**
 * For the start of resumable uploads to the gallery's buckets and to signed addresses. `guardFinish` counts them when the
 * photo is stored, because a declared size costs nothing; this check only refuses early what has no room.
 */
export function limitResumableUploads(owner: Pool, budget: GalleryBudget) {
  return createMiddleware<Edge>(async (c, next) => {
    const bucket = bucketOfUpload(c.req.header('upload-metadata'))
    const isBeginning = c.req.method === 'POST' && bucket !== null
    const sender = c.get('remoteAddress')
    if (!sender || !isBeginning || !isForGallery(bucket, c.req.path.endsWith('/sign'))) return next()

    const photo = { kilobytes: declaredKilobytes(c.req.header('upload-length')), sender }
    if (!(await isAllowed(owner, c))) return refuse(c, 'too_many_sent')
    const refusal = await budget.take(photo)
    if (refusal) return refuse(c, refusal)
    await budget.giveBack(photo)
    return next()
  })
}

function isAllowed(owner: Pool, c: Context<Edge>): Promise<boolean> {
  return tryConsumeRateLimit(owner, { ...shopLimits.upload, subject: c.get('remoteAddress') ?? '' })
}

function refuse(c: Context, error: UploadRefusal): Response {
  return c.json({ statusCode: '429', error, message: UPLOAD_REFUSALS[error] }, 429)
}

/**
 * Rate-limits the rows that one address inserts into the open tables, the lines that one account inserts into its cart, and the drafts
 * that it inserts into `orders`: those count as calls of place_order(). Mount it at `/rest/v1/:table`, behind the gateway.
 */
export function limitInsertedRows() {
  return createMiddleware<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:table'>(
    (c, next) => {
      const caller = c.get('caller')
      const isLimited = c.req.method === 'POST' && caller.role !== 'service_role'
      const counted = isLimited ? rowLimitOf(c.req.param('table'), caller, c.get('remoteAddress')) : null
      if (counted) {
        c.set('preamble', (rows) => rateLimitStatement([{ ...counted, cost: rows }], TOO_MANY_REQUESTS))
      }
      return next()
    },
  )
}

function rowLimitOf(table: string, { userId }: Caller, address: string | null): RateLimit | null {
  if (table === 'orders') return withSubject(shopLimits.placeOrder, userId ?? address)
  if (table === 'cart_items') return withSubject(shopLimits.cartLines, userId)
  return OPEN_TABLES.has(table) ? withSubject(shopLimits.visitor, address) : null
}
