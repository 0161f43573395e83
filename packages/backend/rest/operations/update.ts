import { deleteRows, updateRows } from '../plan/update.ts'
import type { PlanOperation } from './operation.ts'
import { payloadOf } from './payload.ts'
import { planWrite, rootFilters, writeOperation } from './write.ts'

/** `PATCH /relation` */
export const planUpdate: PlanOperation = (request, schema) => {
  const write = planWrite(request, schema)
  const source = updateRows({
    relation: write.relation,
    payload: payloadOf(request),
    filters: rootFilters(request),
    fillsDefaults: request.preferences.missing === 'default',
    alias: write.root.alias,
    returning: write.returning,
  })
  return writeOperation(request, {
    schema,
    write,
    source,
    honoured: ['missing', 'return', 'max-affected'],
    respond: ({ pageRows }) => ({ rows: pageRows }),
  })
}

/** `DELETE /relation` */
export const planDelete: PlanOperation = (request, schema) => {
  const write = planWrite(request, schema)
  const { relation, root, returning } = write
  const source = deleteRows({ relation, alias: root.alias, filters: rootFilters(request), returning })
  return writeOperation(request, { schema, write, source, honoured: ['return', 'max-affected'] })
}
