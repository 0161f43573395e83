/** Parses the `Prefer` header and writes `Preference-Applied`. */

import { z } from 'zod'

const preferenceValues = {
  resolution: z.enum(['merge-duplicates', 'ignore-duplicates']),
  missing: z.enum(['default', 'null']),
  return: z.enum(['representation', 'minimal', 'headers-only']),
  count: z.enum(['exact', 'planned', 'estimated']),
  tx: z.enum(['commit', 'rollback']),
  handling: z.enum(['strict', 'lenient']),
  timezone: z.string(),
  'max-affected': z.stringFormat('number', /^\d{1,15}$/).transform(Number),
}

type Known = { [Name in keyof typeof preferenceValues]?: z.infer<(typeof preferenceValues)[Name]> }

export interface Preferences extends Known {
  /** Unknown preferences and values; refused with `handling=strict`. */
  invalid: string[]
}

const known = z.object(preferenceValues).partial()
const knownName = known.keyof()

export function parsePreferences(
  header: string | undefined,
  { allowsRollback }: { allowsRollback: boolean },
): Preferences {
  if (!header) return { invalid: [] }
  const valid: Record<string, string> = {}
  const invalid: string[] = []
  for (const text of header.split(',').map((part) => part.trim())) {
    const [name = '', value] = text.split('=', 2)
    if (text === '') continue
    const isValid = value !== undefined && knownName.safeParse(name).success
    if (!isValid || !known.safeParse({ [name]: value }).success) invalid.push(text)
    // The first value wins.
    else valid[name] ??= value
  }
  const preferences = known.parse(valid)
  if (!allowsRollback) delete preferences.tx
  return { ...preferences, invalid }
}

const IN_ORDER = [
  'resolution',
  'missing',
  'return',
  'count',
  'tx',
  'handling',
  'timezone',
  'max-affected',
] as const

/** Returns the applied preferences that the operation honours; null if there are none. */
export function preferenceApplied(
  preferences: Preferences,
  honoured: readonly (typeof IN_ORDER)[number][],
): string | null {
  const applied = IN_ORDER.flatMap((name) => {
    const value = preferences[name]
    if (value === undefined || !honoured.includes(name)) return []
    const isVoid = name === 'max-affected' && preferences.handling !== 'strict'
    return isVoid ? [] : [`${name}=${value}`]
  })
  return applied.length > 0 ? applied.join(', ') : null
}
