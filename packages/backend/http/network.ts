import { isIPv4, isIPv6, SocketAddress } from 'node:net'

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

/** The eight groups, without leading zeros and without `::`. */
function groupsOf(address: string): string[] {
  const { address: canonical } = new SocketAddress({ address, family: 'ipv6' })
  const [head = '', tail] = withoutDots(canonical).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = !tail ? [] : tail.split(':')
  const zeros = Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after]
}

/** `::ffff:192.0.2.1` → `::ffff:c000:201` */
function withoutDots(address: string): string {
  const dotted = address.slice(address.lastIndexOf(':') + 1)
  if (!isIPv4(dotted)) return address
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16))
  return `${address.slice(0, -dotted.length)}${groups.join(':')}`
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
