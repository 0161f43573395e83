import { insertRows, locationOf, MERGED } from '../plan/insert.ts'
import { identifier, list, sql } from '../sql.ts'
import { contentRange } from './content-range.ts'
import { asHeader, preferenceHeader, typeHeaders, type Honoured } from './headers.ts'
import { payloadOf } from './payload.ts'
import {
  resultOf,
  withDatabaseOverrides,
  type PlanOperation,
  type RestRequest,
  type Result,
} from './operation.ts'
import { exactTotal, planWrite, writeOperation, type Write } from './write.ts'

/** `POST /relation`: insert, and with `Prefer: resolution=…` upsert. */
export const planInsert: PlanOperation = (request, schema) => {
  const { query, preferences } = request
  const write = planWrite(request, schema)
  const { relation, root } = write
  const payload = payloadOf(request)
  const givesLocation = preferences.return === 'headers-only' && relation.primaryKey.length > 0
  const key = list(
    relation.primaryKey.map((name) => sql`${root.alias}.${identifier(name)} as ${identifier(name)}`),
  )
  const source = insertRows({
    relation,
    payload,
    resolution: preferences.resolution,
    onConflict: query.onConflict,
    fillsDefaults: preferences.missing === 'default',
    alias: root.alias,
    returning: givesLocation ? key : write.returning,
  })
  const merges = preferences.resolution === 'merge-duplicates'
  const extra = givesLocation ? locationOf(relation) : merges ? MERGED : sql`null`

  return {
    ...writeOperation(request, { schema, write, source, extra }),
    toResponse(rows) {
      const result = resultOf(rows)
      const headers = {
        ...(givesLocation && locationHeader(relation.name, result)),
        'Content-Range': contentRange(0, 0, exactTotal(request, result)),
        ...preferenceHeader(preferences, honoured(request, write)),
        ...(write.givesRows && typeHeaders(request.accepted, request.schemaName)),
      }
      const mergedAll = merges && !givesLocation && result.pageRows - Number(result.extra) <= 0
      const response = { status: mergedAll ? 200 : 201, headers, body: write.givesRows ? result.body : null }
      return withDatabaseOverrides(response, result)
    },
  }
}

function honoured({ query }: RestRequest, { relation }: Write): Honoured {
  const canResolve = relation.primaryKey.length > 0 || query.onConflict !== null
  return canResolve ? ['resolution', 'missing', 'return'] : ['missing', 'return']
}

function locationHeader(relation: string, { extra }: Result): Record<string, string> {
  if (extra === null) return {}
  const key: Record<string, string | null> = JSON.parse(extra)
  const query = Object.entries(key).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`,
  )
  return { Location: asHeader(`/${relation}?${query.join('&')}`) }
}
