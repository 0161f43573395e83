/**
 * A payment notice (PayFast calls it ITN) as it came over the wire.
 *
 * The signature covers the received pairs in the received order, blank ones included, so nothing is
 * decoded before it has been checked. The form PayFast documents, decoded and encoded again as PHP
 * does, is accepted too: a proxy on the way may have changed `%7e` into `~`.
 */
import { urldecode, urlencode } from './php-encoding.ts'
import { isSameSignature, signParameters } from './signature.ts'

export interface Notice {
  fields: ReadonlyMap<string, string>
  /** The pairs as received without the signature: what is signed, and what PayFast is asked about. */
  parameters: string
  signature: string
}

/** Null for what cannot be a notice: other bytes than a form has, a field twice, not exactly one signature. */
export function parseNotice(body: string): Notice | null {
  if (!/^[\x21-\x7E]+$/.test(body)) return null
  const pairs = body.split('&').map(splitPair)
  const fields = new Map(pairs.map(({ name, value }) => [name, value.toString('utf8')]))
  const signature = fields.get('signature')
  if (!signature || fields.size !== pairs.length) return null

  fields.delete('signature')
  const signed = pairs.filter(({ name }) => name !== 'signature')
  return { fields, parameters: signed.map(({ raw }) => raw).join('&'), signature }
}

export function isSignedBy(notice: Notice, passphrase: string | null): boolean {
  return [notice.parameters, encodedAgain(notice.parameters)].some((parameters) =>
    isSameSignature(signParameters(parameters, passphrase), notice.signature),
  )
}

function encodedAgain(parameters: string): string {
  return parameters
    .split('&')
    .map(splitPair)
    .map(({ name, value }) => `${name}=${urlencode(value)}`)
    .join('&')
}

function splitPair(raw: string): { raw: string; name: string; value: Buffer } {
  const equals = raw.indexOf('=')
  const name = equals === -1 ? raw : raw.slice(0, equals)
  const value = equals === -1 ? '' : raw.slice(equals + 1)
  return { raw, name: urldecode(name).toString('utf8'), value: urldecode(value) }
}
