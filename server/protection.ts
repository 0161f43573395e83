import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import type { Settings } from './settings.ts'

/** Forms of pages are small; services set limits of their own. */
export const limitPageBodies = bodyLimit({
  maxSize: 256 * 1024,
  onError: (c) => c.text('This is more than the form can take.', 413),
})

/** A payment form is answered with a redirect, and browsers hold `form-action` against where that leads as well. */
const PAYFAST_ORIGINS = [
  'https://www.payfast.co.za',
  'https://sandbox.payfast.co.za',
  'https://payment.payfast.io',
]

/** Headers for every answer, page or service. */
export function protectAnswers({ publicUrl }: Settings) {
  return secureHeaders({
    referrerPolicy: 'strict-origin-when-cross-origin',
    xFrameOptions: 'DENY',
    strictTransportSecurity: publicUrl.startsWith('https://') ? 'max-age=31536000' : false,
    // Pictures may be shown elsewhere (mails, feeds), and the API answers other origins by design.
    crossOriginResourcePolicy: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
}

/** Only scripts and styles of ours run in a page: from files of this origin, or inline with the nonce of this answer. */
export function pagePolicy(nonce: string, { payfast }: Settings): string {
  const formTargets = new Set(["'self'", ...PAYFAST_ORIGINS, new URL(payfast.processUrl).origin])
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    // React writes style attributes; they can neither load nor run anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `form-action ${[...formTargets].join(' ')}`,
    "base-uri 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
