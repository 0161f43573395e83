import type { Row, Statement } from '#backend/database/pipeline.ts'
import type { Caller } from '#backend/http/caller.ts'

import { badResponseHeaders, badResponseStatus } from '../errors.ts'
import type { MediaType } from '../request/media-type.ts'
import type { Preferences } from '../request/preferences.ts'
import type { Query } from '../request/query.ts'
import type { RowRange } from '../request/range.ts'
import type { Schema } from '../schema/model.ts'
import { asHeader } from './headers.ts'

export interface RestSettings {
  /** The first is the one meant when a client names none. */
  exposed: readonly [string, ...string[]]
  /** No more rows than these are given at once; null for any number. */
  maxRows: number | null
  /** Honours `Prefer: tx=rollback`; for tests. */
  allowsRollback: boolean
}

/** A request that has been read, but not yet held against the schema. */
export interface RestRequest {
  method: string
  schemaName: string
  /** Relation or function. */
  name: string
  caller: Caller
  query: Query
  /** The query string as it goes into `Content-Location`. */
  canonicalQuery: string
  range: RowRange
  preferences: Preferences
  accepted: MediaType
  contentType: string
  body: string
}

/** What goes to the database, and how its answer becomes ours. */
export interface Operation {
  statements: Statement[]
  isReadOnly: boolean
  /** What its triggers announce is sent right after the commit instead of with it. */
  announcesLater?: boolean
  /** Settings of the transaction besides the caller's. */
  settings?: Record<string, string>
  /** Looks at the rows before they are committed; what it throws undoes them. */
  check?: (rows: Row[][]) => void
  answer: (rows: Row[][]) => Answer
}

export type PlanOperation = (request: RestRequest, schema: Schema, settings: RestSettings) => Operation

export interface Answer {
  status: number
  headers: Record<string, string>
  /** Set by SQL; an answer may carry several. */
  cookies?: string[]
  body: string | null
}

/** The columns of every main statement, in their order. */
export interface Result {
  total: number | null
  pageRows: number
  body: string
  /** What an upsert merged, or the key that goes into `Location`. */
  extra: string | null
  responseHeaders: string | null
  responseStatus: string | null
}

export function resultOf(rows: Row[][]): Result {
  const [total = null, pageRows, body, extra = null, responseHeaders = null, responseStatus = null] =
    rows[0]?.[0] ?? []
  return {
    total: total === null ? null : Number(total),
    pageRows: Number(pageRows),
    body: body ?? '',
    extra,
    responseHeaders,
    responseStatus,
  }
}

/** SQL may set the answer's status and headers: `set_config('response.status', '418', true)`. */
export function withDatabaseOverrides(answer: Answer, { responseHeaders, responseStatus }: Result): Answer {
  const { headers, cookies } = responseHeaders === null ? NO_HEADERS : parseHeaders(responseHeaders)
  return {
    ...answer,
    status: responseStatus === null ? answer.status : parseStatus(responseStatus),
    headers: { ...answer.headers, ...headers },
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

function parseHeaders(text: string): Required<Pick<Answer, 'headers' | 'cookies'>> {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (const item of parseList(text)) {
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

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // Said below, as for any other text that is no list.
  }
  throw badResponseHeaders()
}
