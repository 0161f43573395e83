import type { Context } from 'hono'

import { isLoopbackHost } from '#backend/http/loopback.ts'
import type { AuthParts } from '../parts.ts'

/** Where a mailed link leads in the end. Anything that is not allowed is replaced by the site itself, silently. */
export function redirectOf(auth: AuthParts, c: Context): string {
  const wanted = c.req.query('redirect_to') ?? c.req.header('redirect_to')
  return wanted && isAllowed(auth, wanted) ? wanted : siteUrl(auth)
}

export function siteUrl(auth: AuthParts): string {
  return auth.settings.siteUrl ?? auth.publicUrl
}

function isAllowed(auth: AuthParts, wanted: string): boolean {
  const url = URL.parse(wanted)
  const site = new URL(siteUrl(auth))
  if (!url || url.username || url.password) return false
  if (auth.settings.redirectAllowList.some((pattern) => matches(pattern, url))) return true
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (isLoopbackHost(site.hostname)) return isLoopbackHost(url.hostname)
  return url.host === site.host && url.protocol === site.protocol
}

/**
 * Compares the address as a browser will open it. In the text that the caller sent, `*` would also match an encoded host and the `?`
 * behind it: `https://evil%2Ecom?.shop.example/` opens evil.com.
 */
function matches(pattern: string, url: URL): boolean {
  const address = new URL(url)
  address.hash = ''
  const glob = globOf(pattern)
  const isBareHost = address.pathname === '/' && address.search === ''
  return glob.test(address.href) || (isBareHost && glob.test(address.href.slice(0, -1)))
}

/** `**` is anything, `*` anything between two of `/` and `.`, `?` one such character. */
function globOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*|[\s\S]/g, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/.]*'
    if (part === '?') return '[^/.]'
    return part.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`)
  })
  return new RegExp(`^${source}$`, 's')
}

/** As GoTrue appends them: behind `#`, which no server on the way gets to see. */
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
