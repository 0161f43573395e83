import { invalidPreferences } from '../errors.ts'
import type { MediaType } from '../request/media-type.ts'
import { preferenceApplied, type Preferences } from '../request/preferences.ts'

export type Honoured = Parameters<typeof preferenceApplied>[1]

export function preferenceHeader(preferences: Preferences, honoured: Honoured): Record<string, string> {
  const applied = preferenceApplied(preferences, [...honoured, 'count', 'tx', 'handling', 'timezone'])
  return applied === null ? {} : { 'Preference-Applied': applied }
}

export function typeHeaders({ contentType }: MediaType, schemaName: string): Record<string, string> {
  return { 'Content-Type': contentType, 'Content-Profile': asHeader(schemaName) }
}

/** Encodes text as UTF-8 bytes in a header, percent-encoding control characters. */
export function asHeader(text: string): string {
  if (PLAIN.test(text)) return text
  return Buffer.from(text.replace(/\p{Cc}/gu, encodeURIComponent)).toString('latin1')
}

export function fromHeader(value: string): string {
  return PLAIN.test(value) ? value : Buffer.from(value, 'latin1').toString()
}

const PLAIN = /^[ -~]*$/

export function refuseInvalidPreferences({ handling, invalid }: Preferences): void {
  if (handling === 'strict' && invalid.length > 0) throw invalidPreferences(invalid)
}

/** Returns the transaction's settings that preferences request. */
export function preferredSettings({ timezone }: Preferences): Record<string, string> {
  return timezone === undefined ? {} : { timezone }
}
