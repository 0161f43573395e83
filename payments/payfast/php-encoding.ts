/**
 * PHP's `urlencode`, which PayFast signs with: `A-Z a-z 0-9 - _ .` stay, a space becomes `+`,
 * every other byte becomes `%XX` in upper case. No encoder of the JavaScript platform does the
 * same: they leave some of `! ' ( ) * ~` bare.
 *
 * Works on bytes, so that a value which is no valid UTF-8 survives decoding and encoding again.
 */
const STAYS = /[A-Za-z0-9\-_.]/

export function urlencode(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
  let encoded = ''
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    if (STAYS.test(character)) encoded += character
    else if (character === ' ') encoded += '+'
    else encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** PHP's `urldecode`: a `%` that starts no escape stays as it is. */
export function urldecode(text: string): Buffer {
  const latin1 = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1, 'latin1')
}
