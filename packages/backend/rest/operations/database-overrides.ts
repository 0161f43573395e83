import { parseJson } from '#backend/http/body.ts'

import { badResponseHeaders, badResponseStatus } from '../errors.ts'
import { asHeader } from './headers.ts'
import type { RestResponse, Result } from './operation.ts'

/** SQL may override status and headers: `set_config('response.status', '418', true)`. */
export function withDatabaseOverrides(
  response: RestResponse,
  { responseHeaders, responseStatus }: Result,
): RestResponse {
  const { headers, cookies } = responseHeaders === null ? NO_HEADERS : parseHeaders(responseHeaders)
  return {
    ...response,
    status: responseStatus === null ? response.status : parseStatus(responseStatus),
    headers: { ...response.headers, ...headers },
    cookies,
  }
}

const NO_HEADERS = { headers: {}, cookies: [] }

function parseStatus(text: string): number {
  const status = Number(text)
  if (!Number.isInteger(status) || status < 200 || status > 599) throw badResponseStatus()
  return status
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/

function parseHeaders(text: string): Required<Pick<RestResponse, 'headers' | 'cookies'>> {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  const items = parseJson(text)
  if (!Array.isArray(items)) throw badResponseHeaders()
  for (const item of items) {
    const entries = typeof item === 'object' && item !== null ? Object.entries(item) : []
    const [name, value] = entries[0] ?? []
    if (
      entries.length !== 1 ||
      !name ||
      !HEADER_NAME.test(name) ||
      typeof value !== 'string' ||
      /[\r\n\0]/.test(value)
    ) {
      throw badResponseHeaders()
    }
    if (name.toLowerCase() === 'set-cookie') cookies.push(asHeader(value))
    else headers[name] = asHeader(value)
  }
  return { headers, cookies }
}
