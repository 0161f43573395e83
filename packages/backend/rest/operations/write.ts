/** Shared by insert, update and delete: the write, and the read of its returned rows. */

import type { TextRow } from '#backend/database/pipeline.ts'

import { notSingular, tooManyAffected } from '../errors.ts'
import { bodyOf } from '../plan/body.ts'
import { selectTree } from '../plan/read.ts'
import { readTree, type ReadNode } from '../plan/read-tree.ts'
import { returningFor } from '../plan/returning.ts'
import { sourceOf } from '../plan/row-source.ts'
import { mainStatement, SOURCE } from '../plan/statement.ts'
import { noRange } from '../request/range.ts'
import type { Relation, Schema } from '../schema/model.ts'
import { sql, toStatement, type Sql } from '../sql.ts'
import { contentRange } from './content-range.ts'
import { withDatabaseOverrides } from './database-overrides.ts'
import { findRelation } from './find-relation.ts'
import {
  preferenceHeader,
  preferredSettings,
  refuseInvalidPreferences,
  typeHeaders,
  type Honoured,
} from './headers.ts'
import { resultOf, type Operation, type RestRequest, type Result } from './operation.ts'

export interface Write {
  relation: Relation
  root: ReadNode
  /** The columns that the response needs. */
  returning: Sql
  givesRows: boolean
}

export function planWrite(request: RestRequest, schema: Schema): Write {
  refuseInvalidPreferences(request.preferences)
  const relation = findRelation(request, schema)
  const read = {
    source: sourceOf(relation),
    schema,
    maxRows: null,
    rootRange: noRange,
    skipsRootFilters: true,
  }
  const tree = readTree(request.query, read)
  const givesRows = request.preferences.return === 'representation'
  if (!givesRows) return { relation, root: tree, returning: sql`1`, givesRows }

  const { columns, root } = returningFor(tree, relation)
  return { relation, root, returning: columns, givesRows }
}

export interface WriteStatement {
  schema: Schema
  write: Write
  source: Sql
  extra?: Sql
  /** Preferences that the operation honours. */
  honoured: Honoured
  /** Returns what differs from a status of 200 or 204, no further headers, and no rows in `Content-Range`. */
  respond?: (result: Result) => { status?: number; headers?: Record<string, string>; rows?: number }
}

export function writeOperation(
  request: RestRequest,
  { schema, write, source, extra, honoured, respond = () => ({}) }: WriteStatement,
): Operation {
  const { accepted, preferences } = request
  const { root, givesRows } = write
  const main = mainStatement({
    source,
    page: givesRows ? selectTree(root, { schema, from: SOURCE }) : sql`select from ${SOURCE}`,
    body: givesRows ? bodyOf('rows', accepted) : sql`''`,
    ...(extra && { extra }),
  })
  const check = checkOf(request, { limitsAffected: request.method !== 'POST' })
  return {
    statements: [toStatement(main)],
    isReadOnly: false,
    settings: preferredSettings(preferences),
    ...(check && { check }),
    toResponse(rows) {
      const result = resultOf(rows)
      const { status = givesRows ? 200 : 204, headers, rows: shown = 0 } = respond(result)
      const response = {
        status,
        headers: {
          ...headers,
          'Content-Range': contentRange(0, shown, exactTotal(request, result)),
          ...preferenceHeader(preferences, honoured),
          ...(givesRows && typeHeaders(accepted, request.schemaName)),
        },
        body: givesRows ? result.body : null,
      }
      return withDatabaseOverrides(response, result)
    },
  }
}

/** Returns a check that must run before the commit; undefined if the request needs none. */
export function checkOf(
  { accepted, preferences }: RestRequest,
  { limitsAffected }: { limitsAffected: boolean },
): ((rows: TextRow[][]) => void) | undefined {
  const limit = preferences.handling === 'strict' && limitsAffected ? preferences['max-affected'] : undefined
  const isSingular = accepted.kind === 'object'
  if (!isSingular && limit === undefined) return undefined
  return (rows) => {
    const { pageRows } = resultOf(rows)
    if (isSingular && pageRows !== 1) throw notSingular(pageRows)
    if (limit !== undefined && pageRows > limit) throw tooManyAffected(pageRows)
  }
}

function exactTotal({ preferences: { count } }: RestRequest, { pageRows }: Result): number | null {
  return count === 'exact' || count === 'estimated' ? pageRows : null
}

/** The filters that select the written rows; those of embedded relations only affect the response. */
export function rootFilters({ query }: RestRequest) {
  return query.filters.filter(({ path }) => path.length === 0).map(({ value }) => value)
}
