import { createHmac, randomBytes } from 'node:crypto'

import { isSameSecret } from '#backend/http/constant-time.ts'

/** RFC 6238 as authenticator apps implement it: SHA-1, 30-second steps, six digits, one step of clock tolerance. */
const STEP_MS = 30_000
const DIGITS = 6
const TOLERATED_STEPS = [0, -1, 1]
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

export function totpUri({
  secret,
  issuer,
  account,
}: {
  secret: string
  issuer: string
  account: string
}): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `algorithm=SHA1&digits=${DIGITS}&issuer=${encodeURIComponent(issuer)}&period=${STEP_MS / 1000}&secret=${secret}`
  return `otpauth://totp/${label}?${query}`
}

export function totpCode(secret: string, at = Date.now()): string {
  return codeOfStep(fromBase32(secret), Math.floor(at / STEP_MS))
}

/** Returns the time step of a valid code, otherwise null. */
export function findTotpStep(secret: string, code: string, at = Date.now()): number | null {
  const key = fromBase32(secret)
  const step = Math.floor(at / STEP_MS)
  // Compares all steps, against timing attacks.
  const [match] = TOLERATED_STEPS.filter((offset) => isSameSecret(codeOfStep(key, step + offset), code))
  return match === undefined ? null : step + match
}

/** RFC 4226, section 5.3. */
function codeOfStep(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2))
}
