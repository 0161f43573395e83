import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import {
  addSecurityHeaders,
  contentSecurityPolicy,
  limitPageBodies,
  securityHeaders,
} from './security-headers.ts'
import { parseSettings } from './settings.ts'

const settings = parseSettings({}, '.')
const app = new Hono().use(addSecurityHeaders(settings)).get('*', (c) => c.text('an response'))

async function headerOf(path: string, name: string): Promise<string | null> {
  return (await app.request(path)).headers.get(name)
}

describe('security headers', () => {
  it.each(['/rest/v1/products', '/auth/v1/user', '/.well-known/security.txt', '/no-such-page'])(
    'prevents other sites from embedding or controlling %s',
    async (path) => {
      expect(await headerOf(path, 'Cross-Origin-Resource-Policy')).toBe('same-origin')
      expect(await headerOf(path, 'Cross-Origin-Opener-Policy')).toBe('same-origin')
    },
  )

  it('allows e-mails and other apps to embed stored pictures', async () => {
    const path = '/storage/v1/object/public/products/popper.webp'

    expect(await headerOf(path, 'Cross-Origin-Resource-Policy')).toBe('cross-origin')
  })

  it('allows only the shop to use camera and geolocation', () => {
    const policy = securityHeaders(settings)['permissions-policy'] ?? ''
    const granted = policy.split(', ').filter((directive) => !directive.endsWith('=()'))

    expect(granted).toEqual(['camera=(self)', 'geolocation=(self)'])
    expect(policy).toContain('microphone=()')
  })

  it('forbids frames and the guessing of content types', async () => {
    expect(await headerOf('/', 'X-Frame-Options')).toBe('DENY')
    expect(await headerOf('/', 'X-Content-Type-Options')).toBe('nosniff')
    expect(await headerOf('/', 'Referrer-Policy')).toBe('strict-origin-when-cross-origin')
  })

  it('makes browsers open a public shop over https only, and a local shop over http', () => {
    const publicShop = { ...settings, publicUrl: 'https://shop.example' }

    expect(securityHeaders(publicShop)['strict-transport-security']).toBe('max-age=31536000')
    expect(securityHeaders(settings)).not.toHaveProperty('strict-transport-security')
  })
})

describe('the content security policy', () => {
  const policy = contentSecurityPolicy({ scripts: ["'sha256-abc='"], styles: ["'sha256-def='"] }, settings)
  const directives = new Map(policy.split('; ').map((text) => [text.split(' ', 1)[0], text]))

  it('allows scripts and styles from the shop’s files and by hash only', () => {
    expect(directives.get('default-src')).toBe("default-src 'self'")
    expect(directives.get('script-src')).toBe("script-src 'self' 'sha256-abc='")
    expect(directives.get('style-src-elem')).toBe("style-src-elem 'self' 'sha256-def='")
    expect(directives.get('object-src')).toBe("object-src 'none'")
    expect(directives.get('base-uri')).toBe("base-uri 'self'")
  })

  it('allows pictures and films of the bucket that public files are redirected to, and of no other server', () => {
    const amazon = {
      S3_BUCKET: 'files',
      AWS_REGION: 'af-south-1',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    }
    const policyWith = (S3_PUBLIC_FILES: string) =>
      contentSecurityPolicy(
        { scripts: [], styles: [] },
        parseSettings({ ...amazon, S3_PUBLIC_FILES }, '/srv'),
      )
    const origin = 'https://files.s3.af-south-1.amazonaws.com'

    expect(policyWith('signed')).toContain(
      `; img-src 'self' data: blob: ${origin}; media-src 'self' ${origin};`,
    )
    expect(policyWith('proxy')).not.toContain(origin)
  })

  it('forbids frames of other sites', () => {
    expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'")
  })

  it('lets forms post only to the shop and PayFast', () => {
    expect(directives.get('form-action')?.split(' ').slice(1)).toEqual([
      "'self'",
      'https://www.payfast.co.za',
      'https://sandbox.payfast.co.za',
      'https://payment.payfast.io',
      'http://localhost:3000',
    ])
  })
})

it('rejects a form of more than 64 KiB and accepts a smaller one', async () => {
  const forms = new Hono().post('*', limitPageBodies, (c) => c.text('accepted'))
  const statusOf = async (bytes: number) =>
    (await forms.request('/contact', { method: 'POST', body: 'x'.repeat(bytes) })).status

  expect(await statusOf(64 * 1024)).toBe(200)
  expect(await statusOf(64 * 1024 + 1)).toBe(413)
})
