import { isIPv6 } from 'node:net'

/** Hexadecimal groups of an IPv6 /64, which providers assign to one customer. */
const NETWORK_GROUPS = 4

/**
 * Returns the network that counts as one caller in rate limits by address: an IPv4 address itself, an IPv6 address's /64, because one
 * customer can use all of its 2^64 addresses. An IPv4-mapped address is the IPv4 address. Other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain)) return address
  const groups = groupsOf(plain)
  return mappedIPv4(groups) ?? `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/**
 * Returns the IPv6 /48 that a provider may assign to one site; an IPv4 address itself. A rate limit by address allows a site 16 times as
 * much (`auth.site_of`). Where that would exceed the limit of all callers together, pass the site instead of the address.
 */
export function siteOf(address: string): string {
  return networkOf(address).replace(/:[0-9a-f]+::\/64$/, '::/48')
}

/** The eight groups, without leading zeros and without `::`. */
function groupsOf(address: string): string[] {
  // A URL writes an IPv6 address in one way, and an IPv4 address in it as two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = !tail ? [] : tail.split(':')
  const zeros = Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after]
}

function mappedIPv4(groups: string[]): string | null {
  const isMapped = groups[5] === 'ffff' && groups.slice(0, 5).every((group) => group === '0')
  if (!isMapped) return null
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
  return bytes.join('.')
}
