import { Hono } from 'hono'
import { shop } from '#shop'
import type { Settings } from './settings.ts'

/** RFC 9116 recommends less than a year; half of that leaves time for cached copies. */
const EXPIRES_IN_DAYS = 180
const DAY_MS = 24 * 60 * 60 * 1000

/** Routes below `/.well-known`: security.txt, and the page where password managers send users to change a password. */
export function createWellKnown({ publicUrl }: Pick<Settings, 'publicUrl'>): Hono {
  const app = new Hono()
  app.get('/security.txt', (c) => c.text(securityText(publicUrl, new Date())))
  app.get('/change-password', (c) => c.redirect('/account/security', 302))
  return app
}

function securityText(publicUrl: string, now: Date): string {
  const expires = new Date(now.getTime() + EXPIRES_IN_DAYS * DAY_MS)
  expires.setUTCHours(0, 0, 0, 0)
  return [
    `Contact: mailto:${shop.security.email}`,
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    `Preferred-Languages: ${shop.security.languages.join(', ')}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
