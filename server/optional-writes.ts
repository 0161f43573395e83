import { createMiddleware } from 'hono/factory'
import { diskSpace } from '@saltfreak/backend'
import type { ShopParts } from './shop-parts.ts'

/**
 * What waits while the disk is about to be full, so that its rest is left to orders and payment notices. New accounts are not
 * among them: a new buyer's order needs one.
 */
export const OPTIONAL_WRITES = [
  '/rest/v1/contact_submissions',
  '/rest/v1/gallery_submissions',
  '/rest/v1/newsletter_signups',
  '/rest/v1/rpc/request_stock_alert',
  '/rest/v1/rpc/import_catalogue',
  '/rest/v1/rpc/email_buyers',
]

const REFUSAL = {
  code: 'insufficient_storage',
  message: 'We can’t save this right now. Please try again later.',
  details: null,
  hint: null,
}

const HEADERS = {
  'Retry-After': '60',
  'Cache-Control': 'no-store',
  // Refused before the services add it.
  'Access-Control-Allow-Origin': '*',
}

/** Refuses new rows with 507 while the disk that holds the database is nearly full; deleting and changing rows is allowed. */
export function refuseOnFullDisk({ settings, spaceOf = diskSpace }: Pick<ShopParts, 'settings' | 'spaceOf'>) {
  const { databaseUrl, dataDir } = settings
  const isFull = async () => !databaseUrl && (await spaceOf(dataDir)).level === 'critical'
  return createMiddleware(async (c, next) => {
    if (c.req.method !== 'POST' || !(await isFull())) return next()
    return c.json(REFUSAL, 507, HEADERS)
  })
}
