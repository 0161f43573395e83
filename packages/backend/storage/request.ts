import type { Context } from 'hono'
import type { z } from 'zod'

import { StorageError } from './errors.ts'

const JSON_LIMIT_BYTES = 1024 * 1024

export async function readJson<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(parse(await readText(c)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new StorageError(
    'InvalidRequest',
    `body/${issue?.path.join('/') ?? ''} ${issue?.message ?? ''}`.trim(),
  )
}

async function readText(c: Context): Promise<string> {
  if (Number(c.req.header('content-length') ?? 0) > JSON_LIMIT_BYTES) throw new StorageError('EntityTooLarge')
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of c.req.raw.body ?? []) {
    length += chunk.byteLength
    if (length > JSON_LIMIT_BYTES) throw new StorageError('EntityTooLarge')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
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
