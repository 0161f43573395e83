import { tableNotFound } from '../schema/errors.ts'
import { keyOf, type Relation, type Schema } from '../schema/model.ts'
import type { RestRequest } from './operation.ts'

export function findRelation({ schemaName, name }: RestRequest, schema: Schema): Relation {
  const wanted = { schema: schemaName, name }
  const relation = schema.relations.get(keyOf(wanted))
  if (!relation) throw tableNotFound(wanted, schema)
  return relation
}
