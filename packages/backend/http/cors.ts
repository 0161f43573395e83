import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'

/** Response headers that pages of other origins may read, for instance for counts and errors. */
const EXPOSED = [
  'Content-Range',
  'Content-Location',
  'Location',
  'Preference-Applied',
  'X-Supabase-Api-Version',
  'X-Total-Count',
  'Link',
  'x-relay-error',
  'ETag',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Expires',
].join(',')

/**
 * Allows all origins: rights depend on keys and tokens, which browsers do not send by themselves. Below the path `ownOptions` it handles
 * only preflights; the service itself handles other OPTIONS requests.
 */
export function allowOrigins({ ownOptions }: { ownOptions?: string } = {}) {
  return createMiddleware(async (c, next) => {
    const isPreflight = c.req.header('Access-Control-Request-Method') !== undefined
    const isOwn = ownOptions !== undefined && c.req.path.startsWith(ownOptions)
    if (c.req.method === 'OPTIONS' && (isPreflight || !isOwn)) return answerPreflight(c)
    await next()
    c.res.headers.set('Access-Control-Allow-Origin', '*')
    c.res.headers.set('Access-Control-Expose-Headers', EXPOSED)
  })
}

function answerPreflight(c: Context): Response {
  const requestedHeaders = c.req.header('Access-Control-Request-Headers')
  return c.body(null, 204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS',
    'Access-Control-Max-Age': '86400',
    ...(requestedHeaders && {
      'Access-Control-Allow-Headers': requestedHeaders,
      Vary: 'Access-Control-Request-Headers',
    }),
  })
}
