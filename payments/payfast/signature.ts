import { createHash, timingSafeEqual } from 'node:crypto'

import { urlencode } from './php-encoding.ts'

export type SignedField = readonly [name: string, value: string]

/** Returns the MD5 of an encoded parameter string and the passphrase, as PayFast computes it. */
export function signParameters(parameters: string, passphrase: string | null): string {
  const secret = passphrase?.trim()
  const salted = secret ? `${parameters}&passphrase=${urlencode(secret)}` : parameters
  return createHash('md5').update(salted, 'ascii').digest('hex')
}

export function encodeParameters(fields: Iterable<SignedField>): string {
  return Array.from(fields, ([name, value]) => `${name}=${urlencode(value)}`).join('&')
}

/** Signs a call to PayFast's REST API: the sorted, non-blank values of headers, body, query and passphrase. */
export function signApiCall(variables: Record<string, string>, passphrase: string): string {
  const names = Object.keys({ ...variables, passphrase })
    .filter((name) => name !== 'signature' && name !== 'testing')
    .toSorted()
  const all: Record<string, string> = { ...variables, passphrase }
  const present = names.map((name) => [name, all[name] ?? ''] as const).filter(([, value]) => value !== '')
  return signParameters(encodeParameters(present), '')
}

export function isSameSignature(ours: string, theirs: string): boolean {
  const received = Buffer.from(theirs)
  const expected = Buffer.from(ours)
  return received.length === expected.length && timingSafeEqual(received, expected)
}
