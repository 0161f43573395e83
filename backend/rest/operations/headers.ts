import { invalidPreferences } from '../errors.ts'
import type { MediaType } from '../request/media-type.ts'
import { preferenceApplied, type Preferences } from '../request/preferences.ts'

export type Honoured = Parameters<typeof preferenceApplied>[1]

export function preferenceHeader(preferences: Preferences, honoured: Honoured): Record<string, string> {
  const applied = preferenceApplied(preferences, [...honoured, 'count', 'tx', 'handling', 'timezone'])
  return applied === null ? {} : { 'Preference-Applied': applied }
}

export function typeHeaders({ contentType }: MediaType, schemaName: string): Record<string, string> {
  return { 'Content-Type': contentType, 'Content-Profile': schemaName }
}

export function refuseInvalid({ handling, invalid }: Preferences): void {
  if (handling === 'strict' && invalid.length > 0) throw invalidPreferences(invalid)
}

/** Settings of the transaction that a preference asks for. */
export function preferredSettings({ timezone }: Preferences): Record<string, string> {
  return timezone === undefined ? {} : { timezone }
}
