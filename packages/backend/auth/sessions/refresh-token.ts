import { randomBytes } from 'node:crypto'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 24

/** 120 random bits. */
export function newRefreshToken(): string {
  return Array.from(randomBytes(LENGTH), (byte) => BASE32[byte % BASE32.length]).join('')
}
