import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time, except for the length, which is public. */
export function isSameSecret(own: string | Buffer, given: string | Buffer): boolean {
  const [a, b] = [own, given].map((secret) => (typeof secret === 'string' ? Buffer.from(secret) : secret))
  return a !== undefined && b !== undefined && a.length === b.length && timingSafeEqual(a, b)
}
