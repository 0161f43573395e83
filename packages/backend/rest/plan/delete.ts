import { whereRequired } from '../errors.ts'
import { identifier, sql, type Sql } from '../sql.ts'
import { whereOf, type WriteFilters } from './update.ts'

export interface DeletePlan extends WriteFilters {
  returning: Sql
}

export function deleteRows(plan: DeletePlan): Sql {
  const { relation, alias, filters, returning } = plan
  if (filters.length === 0) throw whereRequired('DELETE')
  const target = sql`${identifier(relation.schema, relation.name)} as ${alias}`
  return sql`delete from ${target}${whereOf(plan)} returning ${returning}`
}
