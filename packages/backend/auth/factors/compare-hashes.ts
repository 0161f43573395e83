import { timingSafeEqual } from 'node:crypto'

export function hashesMatch(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
