import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'

/** Without these a page of another origin sees the body but neither the count nor the form of an error. */
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
 * Any origin may call the API: rights hang on keys and tokens, which no browser sends by itself. Below `ownOptions` only
 * preflights are answered here: the service answers every other OPTIONS itself.
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
  const wanted = c.req.header('Access-Control-Request-Headers')
  return c.body(null, 204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS',
    'Access-Control-Max-Age': '86400',
    ...(wanted && { 'Access-Control-Allow-Headers': wanted, Vary: 'Access-Control-Request-Headers' }),
  })
}
