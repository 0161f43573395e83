import type { Context } from 'hono'
import type { z } from 'zod'

import { readBody } from '#backend/http/body.ts'
import { StorageError } from './errors.ts'

const JSON_LIMIT_BYTES = 1024 * 1024

export async function readJson<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const body = await readBody(c.req.raw, JSON_LIMIT_BYTES)
  if (!body) throw new StorageError('EntityTooLarge')
  const parsed = schema.safeParse(parse(Buffer.from(body).toString()))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new StorageError(
    'InvalidRequest',
    `body/${issue?.path.join('/') ?? ''} ${issue?.message ?? ''}`.trim(),
  )
}

function parse(text: string): unknown {
  if (text.includes('\0') || /\\u0000|\\ud[89a-f]/i.test(text)) refuseUnstorable(text)
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch (cause) {
    throw new StorageError('InvalidRequest', 'The request body is not JSON', { cause })
  }
}

/** PostgreSQL cannot store NUL characters and lone surrogates; unescaping first joins escaped surrogate pairs. */
function refuseUnstorable(text: string): void {
  const unescaped = text.replaceAll(/\\\\|\\u([\da-f]{4})/gi, (part, hex?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : part,
  )
  if (unescaped.includes('\0') || !unescaped.isWellFormed()) {
    throw new StorageError('InvalidRequest', 'The request body contains a character that cannot be stored')
  }
}

/** Same key rules as the hosted product: S3-safe characters, so that files can move to any object store. */
export function requireValidKey(key: string): void {
  const isValid = key.length <= 1024 && /^(?:\w|[/!.*'() &$@=;:+,?-])+$/.test(key)
  if (!isValid || key.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw new StorageError('InvalidKey', `Invalid key: ${key}`)
  }
}

/** Throws if the text cannot be sent as a response header. */
export function requireHeaderValue(text: string, name: string): string {
  if (text.length > 255 || !/^[\x20-\x7e]*$/.test(text))
    throw new StorageError('InvalidRequest', `Invalid ${name}`)
  return text
}
