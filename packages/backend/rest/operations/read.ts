import { bodyOf } from '../plan/body.ts'
import { selectForCount, selectTree } from '../plan/read.ts'
import { readTree } from '../plan/read-tree.ts'
import { sourceOf } from '../plan/row-source.ts'
import { mainStatement } from '../plan/statement.ts'
import { identifier, toStatement } from '../sql.ts'
import { pageOf } from './content-range.ts'
import { countExpression } from './count.ts'
import { findRelation } from './find-relation.ts'
import {
  asHeader,
  preferenceHeader,
  preferredSettings,
  refuseInvalidPreferences,
  typeHeaders,
} from './headers.ts'
import { withDatabaseOverrides } from './database-overrides.ts'
import type { PlanOperation } from './operation.ts'

/** `GET /relation`, and `HEAD`. */
export const planRead: PlanOperation = (request, schema, { maxRows, privileged }) => {
  const { query, range, preferences, accepted, schemaName } = request
  refuseInvalidPreferences(preferences)
  const relation = findRelation(request, schema)
  const root = readTree(query, { source: sourceOf(relation), schema, maxRows, rootRange: range })
  const from = { schema, from: identifier(relation.schema, relation.name) }
  const total = countExpression(preferences.count, {
    matchingRows: () => selectForCount(root, from),
    page: root.range,
    maxRows,
    mayEstimate: request.caller.role === 'service_role' ? null : privileged,
  })
  const main = mainStatement({
    page: selectTree(root, from),
    body: bodyOf('rows', accepted),
    ...(total && { total }),
  })

  return {
    statements: [toStatement(main)],
    isReadOnly: true,
    settings: preferredSettings(preferences),
    toResponse(rows) {
      const { result, status, headers: ofPage } = pageOf(request, rows)
      const headers = {
        ...ofPage,
        'Content-Location': asHeader(`/${relation.name}${request.canonicalQuery}`),
        ...typeHeaders(accepted, schemaName),
        ...preferenceHeader(preferences, []),
      }
      return withDatabaseOverrides({ status, headers, body: result.body }, result)
    },
  }
}
