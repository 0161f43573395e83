import { insertRows, locationOf, MERGED } from '../plan/insert.ts'
import { identifier, list, sql } from '../sql.ts'
import { asHeader, type Honoured } from './headers.ts'
import { payloadOf } from './payload.ts'
import type { PlanOperation, RestRequest, Result } from './operation.ts'
import { planWrite, writeOperation, type Write } from './write.ts'

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

  return writeOperation(request, {
    schema,
    write,
    source,
    extra,
    honoured: honoured(request, write),
    respond(result) {
      const mergedAll = merges && !givesLocation && result.pageRows - Number(result.extra) <= 0
      return {
        status: mergedAll ? 200 : 201,
        headers: givesLocation ? locationHeader(relation.name, result) : {},
      }
    },
  })
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
