import type { Context } from 'hono'

import { parseJson, readBody } from '#backend/http/body.ts'
import type { Caller } from '#backend/http/caller.ts'

import {
  bodyTooLarge,
  invalidBody,
  rpcMethod,
  schemaNotExposed,
  unsupportedMethod,
  urlTooLong,
} from './errors.ts'
import type { PlanOperation, RestRequest, RestSettings } from './operations/operation.ts'
import { planCall } from './operations/call.ts'
import { fromHeader } from './operations/headers.ts'
import { planInsert } from './operations/insert.ts'
import { planRead } from './operations/read.ts'
import { planDelete, planUpdate } from './operations/update.ts'
import { negotiate } from './request/media-type.ts'
import { refuseLongPatterns } from './request/pattern-length.ts'
import { parsePreferences } from './request/preferences.ts'
import { parseQuery } from './request/query.ts'
import { noRange, topLevelRange } from './request/range.ts'

export interface RequestLimits {
  bodyBytes: number
  urlCharacters: number
  /** Total length of all patterns and text searches in the filters, because they are matched against every row. */
  patternCharacters: number
}

export interface Target {
  kind: 'relation' | 'function'
  name: string
}

const RELATION_METHODS: Record<string, PlanOperation> = {
  GET: planRead,
  HEAD: planRead,
  POST: planInsert,
  PATCH: planUpdate,
  DELETE: planDelete,
}
const FUNCTION_METHODS: Record<string, PlanOperation> = { GET: planCall, HEAD: planCall, POST: planCall }

export function planFor(method: string, { kind }: Target): PlanOperation {
  const plan = kind === 'function' ? FUNCTION_METHODS[method] : RELATION_METHODS[method]
  if (plan) return plan
  throw kind === 'function' ? rpcMethod(method) : unsupportedMethod(method)
}

export interface ReadRequestOptions {
  target: Target
  caller: Caller
  settings: RestSettings
  limits: RequestLimits
}

/** Parses the request, as far as that is possible without the schema. */
export async function readRequest(c: Context, options: ReadRequestOptions): Promise<RestRequest> {
  const { target, caller, settings, limits } = options
  const { method, url } = c.req
  if (url.length > limits.urlCharacters) throw urlTooLong(limits.urlCharacters)

  const isWrite = method !== 'GET' && method !== 'HEAD'
  const parameters = new URL(url).searchParams
  const query = parseQuery(parameters, { takesArguments: target.kind === 'function' && !isWrite })
  refuseLongPatterns(
    query.filters.map(({ value }) => value),
    limits.patternCharacters,
  )
  const rootRange = query.ranges.find(({ path }) => path.length === 0)?.value ?? noRange
  const contentType = mimeOf(c.req.header('Content-Type'))
  return {
    method,
    schemaName: schemaOf(c.req.header(isWrite ? 'Content-Profile' : 'Accept-Profile'), settings.exposed),
    name: target.name,
    caller,
    query,
    canonicalQuery: canonical(parameters),
    range: topLevelRange(rootRange, method === 'GET' ? c.req.header('Range') : undefined),
    preferences: parsePreferences(c.req.header('Prefer'), settings),
    accepted: negotiate(c.req.header('Accept')),
    contentType,
    body: method === 'POST' || method === 'PATCH' ? await bodyText(c.req.raw, contentType, limits) : '',
  }
}

/** Returns the number of rows in an insert's body, so that an array cannot evade a rate limit on calls. */
export function insertedRows({ method, body }: RestRequest, { kind }: Target): number {
  if (method !== 'POST' || kind === 'function' || !/^\s*\[/.test(body)) return 1
  // If it is not JSON, planning the insert throws the error.
  const rows = parseJson(body)
  return Array.isArray(rows) ? Math.max(1, rows.length) : 1
}

function schemaOf(header: string | undefined, exposed: RestSettings['exposed']): string {
  if (header === undefined) return exposed[0]
  const profile = fromHeader(header)
  if (!exposed.includes(profile)) throw schemaNotExposed(profile, exposed)
  return profile
}

function mimeOf(contentType: string | undefined): string {
  return contentType?.split(';')[0]?.trim().toLowerCase() || 'application/json'
}

function canonical(parameters: URLSearchParams): string {
  const sorted = new URLSearchParams(parameters)
  sorted.sort()
  return sorted.size > 0 ? `?${sorted.toString()}` : ''
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function bodyText(
  request: Request,
  contentType: string,
  { bodyBytes }: RequestLimits,
): Promise<string> {
  const bytes = await readBody(request, bodyBytes)
  if (!bytes) throw bodyTooLarge(bodyBytes)
  // Binary bodies become a bytea parameter; this is its text format.
  if (contentType === 'application/octet-stream') return `\\x${Buffer.from(bytes).toString('hex')}`
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidBody('The request body is not UTF-8')
  }
}
