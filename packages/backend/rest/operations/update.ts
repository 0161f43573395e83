import { updateRows } from '../plan/update.ts'
import { contentRange } from './content-range.ts'
import { preferenceHeader, typeHeaders } from './headers.ts'
import { resultOf, withDatabaseOverrides, type PlanOperation } from './operation.ts'
import { payloadOf } from './payload.ts'
import { exactTotal, planWrite, rootFilters, writeOperation } from './write.ts'

/** `PATCH /relation` */
export const planUpdate: PlanOperation = (request, schema) => {
  const { preferences } = request
  const write = planWrite(request, schema)
  const source = updateRows({
    relation: write.relation,
    payload: payloadOf(request),
    filters: rootFilters(request),
    fillsDefaults: preferences.missing === 'default',
    alias: write.root.alias,
    returning: write.returning,
  })

  return {
    ...writeOperation(request, { schema, write, source }),
    toResponse(rows) {
      const result = resultOf(rows)
      const headers = {
        'Content-Range': contentRange(0, result.pageRows, exactTotal(request, result)),
        ...preferenceHeader(preferences, ['missing', 'return', 'max-affected']),
        ...(write.givesRows && typeHeaders(request.accepted, request.schemaName)),
      }
      const response = write.givesRows
        ? { status: 200, headers, body: result.body }
        : { status: 204, headers, body: null }
      return withDatabaseOverrides(response, result)
    },
  }
}
