import { deleteRows } from '../plan/update.ts'
import type { PlanOperation } from './operation.ts'
import { planWrite, rootFilters, writeOperation } from './write.ts'

/** `DELETE /relation` */
export const planDelete: PlanOperation = (request, schema) => {
  const write = planWrite(request, schema)
  const { relation, root, returning } = write
  const source = deleteRows({ relation, alias: root.alias, filters: rootFilters(request), returning })
  return writeOperation(request, { schema, write, source, honoured: ['return', 'max-affected'] })
}
