/**
 * A payment notice (PayFast: ITN) as received.
 *
 * The signature covers the received pairs in the received order, including blank ones, so it is checked before decoding. Pairs
 * that are decoded and re-encoded as in PHP, as PayFast documents, are also accepted: a proxy may have changed `%7e` to `~`.
 */
import { urldecode, urlencode } from './php-encoding.ts'
import { isSameSignature, signParameters } from './signature.ts'

export interface Notice {
  fields: ReadonlyMap<string, string>
  /** The received pairs without the signature: they are signed, and PayFast confirms them. */
  parameters: string
  signature: string
}

/** Returns null for a body that is not a form, has a duplicate field, or does not have exactly one signature. */
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

/**
 * Whether a form has two fields that every notice has and the form for the payment page lacks. The signature does not tell them
 * apart: both are signed in the same way, and each buyer knows the signed form of an order.
 */
export function hasNoticeFields({ fields }: Notice): boolean {
  return fields.has('payment_status') && fields.has('pf_payment_id')
}

export function isSignedBy(notice: Notice, passphrase: string | null): boolean {
  return [notice.parameters, reencode(notice.parameters)].some((parameters) =>
    isSameSignature(signParameters(parameters, passphrase), notice.signature),
  )
}

function reencode(parameters: string): string {
  return parameters
    .split('&')
    .map(splitPair)
    .map(({ name, value }) => `${urlencode(name)}=${urlencode(value)}`)
    .join('&')
}

function splitPair(raw: string): { raw: string; name: string; value: Buffer } {
  const equals = raw.indexOf('=')
  const name = equals === -1 ? raw : raw.slice(0, equals)
  const value = equals === -1 ? '' : raw.slice(equals + 1)
  return { raw, name: urldecode(name).toString('utf8'), value: urldecode(value) }
}
