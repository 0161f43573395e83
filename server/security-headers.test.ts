import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { addSecurityHeaders, securityHeaders } from './security-headers.ts'
import { parseSettings } from './settings.ts'

const settings = parseSettings({}, '.')
const app = new Hono().use(addSecurityHeaders(settings)).get('*', (c) => c.text('an answer'))

async function headerOf(path: string, name: string): Promise<string | null> {
  return (await app.request(path)).headers.get(name)
}

describe('the headers of every answer', () => {
  it.each(['/rest/v1/products', '/auth/v1/user', '/.well-known/security.txt', '/no-such-page'])(
    'keep other sites from embedding %s or reaching its window',
    async (path) => {
      expect(await headerOf(path, 'Cross-Origin-Resource-Policy')).toBe('same-origin')
      expect(await headerOf(path, 'Cross-Origin-Opener-Policy')).toBe('same-origin')
    },
  )

  it('let mails and other apps embed stored pictures', async () => {
    const path = '/storage/v1/object/public/products/popper.webp'

    expect(await headerOf(path, 'Cross-Origin-Resource-Policy')).toBe('cross-origin')
  })

  it('give camera and position to the shop alone, and no other device to anyone', () => {
    const policy = securityHeaders(settings)['permissions-policy'] ?? ''
    const granted = policy.split(', ').filter((directive) => !directive.endsWith('=()'))

    expect(granted).toEqual(['camera=(self)', 'geolocation=(self)'])
    expect(policy).toContain('microphone=()')
  })
})
