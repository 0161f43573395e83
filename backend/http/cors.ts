import { cors } from 'hono/cors'

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
]

/** Any origin may call the API: rights hang on keys and tokens, which no browser sends by itself. */
export function allowOrigins() {
  return cors({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposeHeaders: EXPOSED,
    maxAge: 86_400,
  })
}
