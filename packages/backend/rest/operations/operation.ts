import type { TextRow, Statement } from '#backend/database/pipeline.ts'
import type { Caller } from '#backend/http/caller.ts'

import type { MediaType } from '../request/media-type.ts'
import type { Preferences } from '../request/preferences.ts'
import type { Query } from '../request/query.ts'
import type { RowRange } from '../request/range.ts'
import type { Schema } from '../schema/model.ts'

export interface RestSettings {
  /** The first is the default. */
  exposed: readonly [string, ...string[]]
  /** Maximum rows per response; null for no limit. */
  maxRows: number | null
  /** Honours `Prefer: tx=rollback`; for tests. */
  allowsRollback: boolean
  /** SQL condition for callers who may see the planner's estimates; null for everybody. */
  privileged: string | null
}

/** A parsed request, not yet checked against the schema. */
export interface RestRequest {
  method: string
  schemaName: string
  /** Relation or function. */
  name: string
  caller: Caller
  query: Query
  /** The query string for `Content-Location`. */
  canonicalQuery: string
  range: RowRange
  preferences: Preferences
  accepted: MediaType
  contentType: string
  body: string
}

/** The statements of a request, and the conversion of their rows into the response. */
export interface Operation {
  statements: Statement[]
  isReadOnly: boolean
  /** Its triggers' notifications are sent in a second transaction (see `NOTIFY_AFTER_COMMIT`). */
  notifiesAfterCommit?: boolean
  /** Further settings of the transaction. */
  settings?: Record<string, string>
  /** Checks the rows before the commit; an error rolls back. */
  check?: (rows: TextRow[][]) => void
  toResponse: (rows: TextRow[][]) => RestResponse
}

export type PlanOperation = (request: RestRequest, schema: Schema, settings: RestSettings) => Operation

export interface RestResponse {
  status: number
  headers: Record<string, string>
  /** Set by SQL. */
  cookies?: string[]
  body: string | null
}

/** The columns of every main statement, in order. */
export interface Result {
  total: number | null
  pageRows: number
  body: string
  /** The number of rows that an upsert merged, or the key for `Location`. */
  extra: string | null
  responseHeaders: string | null
  responseStatus: string | null
}

export function resultOf(rows: TextRow[][]): Result {
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
