import * as z from 'zod/mini'

// The content security policy forbids the `new Function` of compiled schemas.
z.config({ jitless: true })

/** A length and the message for a text beyond it. */
type Bound = readonly [length: number, message: string]

/** Trimmed text; the lengths count without the surrounding spaces. */
export function textBetween(min: Bound, max: Bound) {
  return z.string().check(z.trim(), z.minLength(...min), z.maxLength(...max))
}

export function emailAddress(tooLong = 'Invalid email address') {
  return z.string().check(z.trim(), z.email('Invalid email address'), z.maxLength(255, tooLong))
}

/** The first error message of each field. */
export type FieldErrors<Values> = { [Field in keyof Values]?: string }

/** Returns the parsed values, or the first error message of each field. */
export function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  typed: unknown,
): { values: z.infer<Schema>; errors: null } | { values: null; errors: FieldErrors<z.infer<Schema>> } {
  const parsed = schema.safeParse(typed)
  if (parsed.success) return { values: parsed.data, errors: null }
  const errors: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= message
  return { values: null, errors }
}

export { z }
