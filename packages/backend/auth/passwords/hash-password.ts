import { hash, verify } from '@node-rs/argon2'
import { compare } from 'bcryptjs'

/** Argon2id with OWASP's second recommendation: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Verified when there is no account, so that the response time does not reveal it. */
let dummyHash: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  if (!stored) {
    dummyHash ??= hashPassword(crypto.randomUUID())
    await verify(await dummyHash, password)
    return false
  }
  return isBcrypt(stored) ? compare(password, stored) : verify(stored, password)
}

export function isKnownHash(text: string): boolean {
  return isBcrypt(text) || /^\$argon2(id|i|d)\$/.test(text)
}

/** Accounts imported from the hosted product have bcrypt hashes, which the next sign-in replaces. */
export function isBcrypt(stored: string): boolean {
  return /^\$2[aby]\$/.test(stored)
}
