import { createMiddleware } from 'hono/factory'
import { addressOfBucket, limitBody } from '@saltfreak/backend'
import { ANONYMOUS_LIMITS } from './limits.ts'
import type { Settings } from './settings.ts'

/** Page forms are small; services set their own limits. */
export const limitPageBodies = limitBody(ANONYMOUS_LIMITS.bodyBytes, (c) =>
  c.text('The form is too large.', 413),
)

/** Browsers also check `form-action` against the redirect that follows a submitted payment form. */
const PAYFAST_ORIGINS = [
  'https://www.payfast.co.za',
  'https://sandbox.payfast.co.za',
  'https://payment.payfast.io',
]

/**
 * The camera scans waybills and photographs catches; geolocation finds the nearest locker. Everything else is denied, and so
 * is every frame of another origin.
 */
const PERMISSIONS = [
  'camera=(self)',
  'geolocation=(self)',
  ...[
    'accelerometer',
    'display-capture',
    'gyroscope',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'usb',
  ].map((feature) => `${feature}=()`),
].join(', ')

/** E-mails, link previews and other apps embed stored files. CORS requests of API clients are not affected. */
const EMBEDDABLE = '/storage/v1/'

/** Returns the security headers of every response, page or service. */
export function securityHeaders({ publicUrl }: Settings): Record<string, string> {
  return {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': PERMISSIONS,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https://') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

export function addSecurityHeaders(settings: Settings) {
  const headers = Object.entries(securityHeaders(settings))
  return createMiddleware(async (c, next) => {
    await next()
    for (const [name, value] of headers) c.res.headers.set(name, value)
    if (c.req.path.startsWith(EMBEDDABLE)) c.res.headers.set('cross-origin-resource-policy', 'cross-origin')
  })
}

/** Content security policy sources of inline scripts and styles: hashes or a nonce. */
export interface AllowedInline {
  scripts: readonly string[]
  styles: readonly string[]
}

/** Allows only scripts and styles from files of this origin, and the given inline ones. */
export function contentSecurityPolicy({ scripts, styles }: AllowedInline, { payfast, s3 }: Settings): string {
  const formTargets = new Set(["'self'", ...PAYFAST_ORIGINS, new URL(payfast.processUrl).origin])
  const pictures = s3 && s3.publicFiles !== 'proxy' ? [new URL(addressOfBucket(s3)).origin] : []
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src-elem 'self'", ...styles].join(' '),
    // React writes style attributes; they cannot run scripts.
    "style-src-attr 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...pictures].join(' '),
    ...(pictures.length > 0 ? [["media-src 'self'", ...pictures].join(' ')] : []),
    `form-action ${[...formTargets].join(' ')}`,
    "base-uri 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
