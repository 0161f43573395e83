/**
 * The form that sends a buyer to PayFast.
 *
 * FORM_FIELDS has the order in which PayFast signs. A value is normalised once, and the same text is signed and posted, so that
 * the different definitions of white space in PHP and JavaScript do not matter.
 */
import { encodeParameters, signParameters } from './signature.ts'

/** Fields with their maximum length in characters. */
const FORM_FIELDS = [
  ['merchant_id', 8],
  ['merchant_key', 13],
  ['return_url', 255],
  ['cancel_url', 255],
  ['notify_url', 255],
  ['name_first', 100],
  ['name_last', 100],
  ['email_address', 100],
  ['cell_number', 10],
  ['m_payment_id', 100],
  ['amount', 12],
  ['item_name', 100],
  ['item_description', 255],
  ['custom_int1', 255],
  ['custom_int2', 255],
  ['custom_int3', 255],
  ['custom_int4', 255],
  ['custom_int5', 255],
  ['custom_str1', 255],
  ['custom_str2', 255],
  ['custom_str3', 255],
  ['custom_str4', 255],
  ['custom_str5', 255],
  ['email_confirmation', 1],
  ['confirmation_address', 100],
  ['payment_method', 3],
] as const

type FormField = (typeof FORM_FIELDS)[number][0]
export type FormValues = Partial<Record<FormField, string>>

/** Returns the non-blank fields in order, followed by the signature. */
export function signedForm(values: FormValues, passphrase: string | null): Record<string, string> {
  const fields = presentFields(values)
  const signature = signParameters(encodeParameters(fields), passphrase)
  return { ...Object.fromEntries(fields), signature }
}

/** Returns the signature that PayFast would compute for a posted form. Unknown fields are not signed. */
export function formSignature(posted: ReadonlyMap<string, string>, passphrase: string | null): string {
  const fields = FORM_FIELDS.map(([name]) => [name, trimAsPhp(posted.get(name) ?? '')] as const)
  return signParameters(encodeParameters(fields.filter(([, value]) => value !== '')), passphrase)
}

function presentFields(values: FormValues): [FormField, string][] {
  return FORM_FIELDS.flatMap<[FormField, string]>(([name, length]) => {
    const value = normalise(values[name] ?? '', length)
    // Keeps "0", which PHP's `empty()` would drop.
    return value === '' ? [] : [[name, value]]
  })
}

/** Returns one line of NFC text, truncated by code points so that no surrogate pair is split. */
export function normalise(value: string, length: number): string {
  const oneLine = value
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return Array.from(oneLine).slice(0, length).join('').trim()
}

function trimAsPhp(value: string): string {
  // oxlint-disable-next-line no-control-regex -- PHP's trim() takes exactly these.
  return value.replace(/^[ \t\n\r\0\x0B]+|[ \t\n\r\0\x0B]+$/g, '')
}
