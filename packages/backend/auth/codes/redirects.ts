import type { Context } from 'hono'

import { isLoopbackHost } from '#backend/http/loopback.ts'
import type { AuthContext } from '../auth-context.ts'

/** Returns the requested redirect target, or the site's address if the target is not allowed. */
export function redirectOf(auth: AuthContext, c: Context): string {
  const requested = c.req.query('redirect_to') ?? c.req.header('redirect_to')
  return requested && isAllowed(auth, requested) ? requested : siteUrl(auth)
}

export function siteUrl(auth: AuthContext): string {
  return auth.settings.siteUrl ?? auth.publicUrl
}

function isAllowed(auth: AuthContext, requested: string): boolean {
  const url = URL.parse(requested)
  const site = new URL(siteUrl(auth))
  if (!url || url.username || url.password) return false
  if (auth.settings.redirectAllowList.some((pattern) => matches(pattern, url))) return true
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (isLoopbackHost(site.hostname)) return isLoopbackHost(url.hostname)
  return url.host === site.host && url.protocol === site.protocol
}

/**
 * Matches the normalised URL. In the raw text `*` would also match an encoded host: `https://evil%2Ecom?.shop.example/` opens evil.com.
 */
function matches(pattern: string, url: URL): boolean {
  const address = new URL(url)
  address.hash = ''
  const glob = globToRegExp(pattern)
  const isBareHost = address.pathname === '/' && address.search === ''
  return glob.test(address.href) || (isBareHost && glob.test(address.href.slice(0, -1)))
}

/** GoTrue's globs: `**` matches anything, `*` anything except `/` and `.`, `?` one such character. */
function globToRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*|[\s\S]/g, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/.]*'
    if (part === '?') return '[^/.]'
    return part.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`)
  })
  return new RegExp(`^${source}$`, 's')
}

/** Appends values behind `#`, as GoTrue does, so that servers do not see them. */
export function withFragment(url: string, values: Record<string, string>): string {
  const target = new URL(url)
  target.hash = new URLSearchParams({ ...values, sb: '' }).toString()
  return target.href
}

export function withQuery(url: string, values: Record<string, string>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value)
  return target.href
}
