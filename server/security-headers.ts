import { createMiddleware } from 'hono/factory'
import { limitBody } from '#backend/http/body.ts'
import { ANONYMOUS } from './limits.ts'
import type { Settings } from './settings.ts'

/** Forms of pages are small; services set limits of their own. */
export const limitPageBodies = limitBody(ANONYMOUS.bodyBytes, (c) =>
  c.text('This is more than the form can take.', 413),
)

/** A payment form is answered with a redirect, and browsers hold `form-action` against where that leads as well. */
const PAYFAST_ORIGINS = [
  'https://www.payfast.co.za',
  'https://sandbox.payfast.co.za',
  'https://payment.payfast.io',
]

/**
 * What documents of the shop may use: the camera scans waybills and photographs catches, the position finds the nearest
 * locker. Everything else, and every frame of another origin, is refused.
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

/** Mails, link previews and other apps embed stored files. Fetches by CORS, as API clients make them, are not affected. */
const EMBEDDABLE = '/storage/v1/'

/** Headers of every answer, page or service. */
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

/** The sources of inline scripts and styles that a page may run: hashes, or a nonce. */
export interface AllowedInline {
  scripts: readonly string[]
  styles: readonly string[]
}

/** Only scripts and styles of ours run in a page: from files of this origin, or inline and named here. */
export function contentSecurityPolicy({ scripts, styles }: AllowedInline, { payfast }: Settings): string {
  const formTargets = new Set(["'self'", ...PAYFAST_ORIGINS, new URL(payfast.processUrl).origin])
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src-elem 'self'", ...styles].join(' '),
    // React writes style attributes; they can neither load nor run anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `form-action ${[...formTargets].join(' ')}`,
    "base-uri 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
