import { hash, verify } from '@node-rs/argon2'
import { compare } from 'bcryptjs'

/** Argon2id with OWASP's second recommendation: 19 MiB, two passes. The library's defaults, spelled out. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of nobody's password: checked when there is no account, so that the answer takes as long as for a wrong password. */
let nobodysHash: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  if (!stored) {
    nobodysHash ??= hashPassword(crypto.randomUUID())
    await verify(await nobodysHash, password)
    return false
  }
  return isBcrypt(stored) ? compare(password, stored) : verify(stored, password)
}

export function isKnownHash(text: string): boolean {
  return isBcrypt(text) || /^\$argon2(id|i|d)\$/.test(text)
}

/** Accounts that come from the hosted product bring bcrypt; they are rehashed at the next sign-in. */
export function isBcrypt(stored: string): boolean {
  return /^\$2[aby]\$/.test(stored)
}
