import { invalidBody } from '../errors.ts'
import { parsePayload, type Payload } from '../request/payload.ts'
import type { RestRequest } from './operation.ts'

/** Returns the JSON of an insert or update. Throws PGRST102 for another content type. */
export function payloadOf({ body, contentType, query }: RestRequest): Payload {
  if (contentType !== 'application/json') throw invalidBody(`Content-Type not acceptable: ${contentType}`)
  return parsePayload(body, query.columns)
}
