import { isIP } from 'node:net'

import type { Context } from 'hono'
import { z } from 'zod'

import { AuthError, invalidInput } from './errors.ts'

/** Deeper nesting can overflow parsers and jsonb. */
const MAX_DEPTH = 32

/** The client, as sessions and rate limits record it. */
export interface RequestSource {
  address: string | null
  userAgent: string | null
}

export function requestSource(c: Context): RequestSource {
  const address: unknown = c.get('remoteAddress')
  return {
    address: typeof address === 'string' && isIP(address) ? address : null,
    userAgent: c.req.header('user-agent')?.replaceAll('\0', '').slice(0, 500) ?? null,
  }
}

/** Parses the JSON body; an empty one counts as `{}`. Throws `bad_json` or `validation_failed`. */
export async function parseBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await c.req.text()
  const parsed = schema.safeParse(text.trim() === '' ? {} : parseJson(text))
  if (parsed.success) return parsed.data
  throw invalidInput(firstProblem(parsed.error))
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AuthError('bad_json', 'Could not parse request body as JSON', { cause })
  }
  refuseUnstorable(value, 0)
  return value
}

/** PostgreSQL stores neither NUL characters nor half a surrogate pair. */
function refuseUnstorable(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw invalidInput(`The request body is nested more than ${MAX_DEPTH} levels deep`)
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    throw invalidInput('The request body contains a character that cannot be stored')
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    refuseUnstorable(key, depth)
    refuseUnstorable(member, depth + 1)
  }
}

function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'The request body is not as expected'
  return issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message
}

/** The client library sends missing values as `""` or null. */
export const optionalText = z
  .string()
  .max(2048)
  .nullish()
  .transform((text) => text || null)

const MAX_EMAIL_LENGTH = 255

export const optionalEmail = optionalText.transform((text) => (text === null ? null : normaliseEmail(text)))

export function requireEmail(email: string | null): string {
  if (email === null) throw invalidInput('Unable to validate email address: invalid format')
  return email
}

export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length > MAX_EMAIL_LENGTH || !z.email().safeParse(email).success) {
    throw invalidInput('Unable to validate email address: invalid format')
  }
  return email
}

/** Returns an E.164 number without the plus sign, as GoTrue stores it. */
export function normalisePhone(text: string): string {
  const digits = text.replaceAll(/[\s()-]/g, '').replace(/^\+/, '')
  if (!/^[1-9]\d{6,14}$/.test(digits)) throw invalidInput('Invalid phone number format (E.164 required)')
  return digits
}

/** The access token contains the metadata and must fit into request headers. */
const MAX_METADATA_BYTES = 6_000

export const metadataSchema = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((metadata) => metadata ?? {})

export function requireSmallMetadata(metadata: Record<string, unknown>): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw invalidInput(`User metadata may not be larger than ${MAX_METADATA_BYTES} bytes`)
  }
}
