import { deleteRows } from '../plan/delete.ts'
import { contentRange } from './content-range.ts'
import { preferenceHeader, typeHeaders } from './headers.ts'
import { resultOf, withDatabaseOverrides, type PlanOperation } from './operation.ts'
import { exactTotal, planWrite, rootFilters, writeOperation } from './write.ts'

/** `DELETE /relation` */
export const planDelete: PlanOperation = (request, schema) => {
  const write = planWrite(request, schema)
  const { relation, root, returning } = write
  const source = deleteRows({ relation, alias: root.alias, filters: rootFilters(request), returning })

  return {
    ...writeOperation(request, { schema, write, source }),
    toResponse(rows) {
      const result = resultOf(rows)
      const headers = {
        'Content-Range': contentRange(0, 0, exactTotal(request, result)),
        ...preferenceHeader(request.preferences, ['return', 'max-affected']),
        ...(write.givesRows && typeHeaders(request.accepted, request.schemaName)),
      }
      const response = write.givesRows
        ? { status: 200, headers, body: result.body }
        : { status: 204, headers, body: null }
      return withDatabaseOverrides(response, result)
    },
  }
}
