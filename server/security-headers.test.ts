import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { addSecurityHeaders, securityHeaders } from './security-headers.ts'
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
})
