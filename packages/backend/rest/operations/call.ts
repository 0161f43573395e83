import { invalidBody, maxAffectedOnSingleResult } from '../errors.ts'
import { bodyOf, type BodyShape } from '../plan/body.ts'
import { CALL_ALIAS, callRoutine, SCALAR, type CallArguments } from '../plan/call.ts'
import { findRoutine, hasUnnamedParameter } from '../plan/find-routine.ts'
import { selectForCount, selectTree } from '../plan/read.ts'
import { readTree } from '../plan/read-tree.ts'
import { returningFor } from '../plan/returning.ts'
import { sourceOf } from '../plan/row-source.ts'
import { mainStatement, SOURCE } from '../plan/statement.ts'
import { parsePayload } from '../request/payload.ts'
import type { Preferences } from '../request/preferences.ts'
import { keyOf, type Relation, type Routine, type Schema } from '../schema/model.ts'
import type { RoutineRequest } from '../schema/errors.ts'
import { nothing, toStatement } from '../sql.ts'
import { pageOf } from './content-range.ts'
import { countExpression } from './count.ts'
import { preferenceHeader, preferredSettings, refuseInvalidPreferences, typeHeaders } from './headers.ts'
import { withDatabaseOverrides } from './database-overrides.ts'
import type { Operation, PlanOperation, RestRequest } from './operation.ts'
import { checkOf } from './write.ts'

/** `/rpc/function` by GET, HEAD and POST. */
export const planCall: PlanOperation = (request, schema, { maxRows }) => {
  const { query, range, preferences, accepted } = request
  refuseInvalidPreferences(preferences)
  const { routine, callArguments } = matchRoutine(request, schema)
  const { result } = routine
  const isSet = result.kind !== 'void' && result.isSet
  if (preferences.handling === 'strict' && preferences['max-affected'] !== undefined && !isSet) {
    throw maxAffectedOnSingleResult()
  }

  const relation = resultRelation(routine, schema)
  const tree = readTree(query, {
    source: sourceOf(relation),
    schema,
    maxRows: isSet ? maxRows : null,
    rootRange: range,
  })
  const { columns, root } = returningFor({ ...tree, alias: CALL_ALIAS }, relation)
  const from = { schema, from: SOURCE }
  const total = countExpression(countable(preferences.count), {
    matchingRows: () => selectForCount(root, from),
    page: tree.range,
    maxRows,
    mayEstimate: null,
  })
  const main = mainStatement({
    source: callRoutine({
      routine,
      arguments: callArguments,
      returning: result.kind === 'row' ? columns : nothing,
    }),
    page: selectTree(root, from),
    body: bodyOf(shapeOf(routine), accepted),
    ...(total && { total }),
  })
  const isReadOnly = request.method !== 'POST' || routine.volatility !== 'volatile'
  const check = isReadOnly ? undefined : checkOf(request, { limitsAffected: true })
  return {
    statements: [toStatement(main)],
    isReadOnly,
    notifiesAfterCommit: !isReadOnly,
    settings: preferredSettings(preferences),
    ...(check && { check }),
    toResponse: callResponse(request, routine),
  }
}

function callResponse(request: RestRequest, { result }: Routine): Operation['toResponse'] {
  const { preferences, accepted, schemaName } = request
  return (rows) => {
    const page = pageOf(request, rows)
    const isEmpty = result.kind === 'void' || preferences.return === 'minimal'
    const response = {
      status: isEmpty ? 204 : page.status,
      headers: {
        ...page.headers,
        ...preferenceHeader(preferences, ['max-affected']),
        ...(!isEmpty && typeHeaders(accepted, schemaName)),
      },
      body: isEmpty ? null : page.result.body,
    }
    return withDatabaseOverrides(response, page.result)
  }
}

/** Ignores `planned`, because the planner's estimate for functions is a constant. */
function countable(count: Preferences['count']): Preferences['count'] {
  if (count === 'planned') return undefined
  return count === undefined ? undefined : 'exact'
}

const BODY_TYPES = new Map<string, RoutineRequest['takesBodyAs']>([
  ['application/json', 'json'],
  ['text/plain', 'text'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
  ['application/octet-stream', 'bytea'],
])

function matchRoutine(
  request: RestRequest,
  schema: Schema,
): { routine: Routine; callArguments: CallArguments } {
  const { schemaName, name, query, body, contentType } = request
  const common = { name: { schema: schemaName, name }, takesBodyAs: null }
  if (request.method !== 'POST') {
    const argumentNames = [...new Set(query.arguments.map(([argument]) => argument))]
    const routine = findRoutine({ ...common, argumentNames }, schema)
    return { routine, callArguments: { kind: 'texts', values: query.arguments } }
  }
  const takesBodyAs = BODY_TYPES.get(contentType)
  if (!takesBodyAs) throw invalidBody(`Content-Type not acceptable: ${contentType}`)

  if (takesBodyAs !== 'json') {
    const routine = findRoutine({ ...common, argumentNames: [], takesBodyAs }, schema)
    return { routine, callArguments: { kind: 'body', text: body } }
  }
  const payload = parsePayload(body === '' ? '{}' : body, query.columns)
  const routine = findRoutine({ ...common, argumentNames: payload.keys, takesBodyAs }, schema)
  return {
    routine,
    callArguments: hasUnnamedParameter(routine)
      ? { kind: 'body', text: body || null }
      : { kind: 'json', payload },
  }
}

function shapeOf({ result }: Routine): BodyShape {
  switch (result.kind) {
    case 'void':
      return 'one scalar'
    case 'scalar':
      return result.isSet ? 'scalars' : 'one scalar'
    case 'row':
      return result.isSet ? 'rows' : 'one row'
  }
}

/** Returns the relation whose rows the function returns, or one made of its output columns, for selects and filters. */
function resultRelation({ schema, name, result }: Routine, known: Schema): Relation {
  const relation =
    result.kind === 'row' && result.relation ? known.relations.get(keyOf(result.relation)) : undefined
  if (relation) return relation
  const columns = result.kind === 'row' ? result.columns : [{ name: SCALAR, type: '', default: null }]
  return {
    schema,
    name,
    columns: new Map(columns.map((column) => [column.name, column])),
    computedColumns: new Set(),
    primaryKey: [],
    isView: false,
  }
}
