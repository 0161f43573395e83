/**
 * PHP's `urlencode`, which PayFast's signature uses: keeps `A-Z a-z 0-9 - _ .`, encodes a space as `+` and every other byte as
 * upper-case `%XX`. JavaScript's encoders differ: they keep some of `! ' ( ) * ~`.
 *
 * Works on bytes, so that invalid UTF-8 survives a round trip.
 */
const UNRESERVED = /[A-Za-z0-9\-_.]/

export function urlencode(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
  let encoded = ''
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    if (UNRESERVED.test(character)) encoded += character
    else if (character === ' ') encoded += '+'
    else encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** PHP's `urldecode`, which keeps a `%` without two hex digits. */
export function urldecode(text: string): Buffer {
  const latin1 = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1, 'latin1')
}
