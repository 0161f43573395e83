import { tableNotFound } from '../schema/errors.ts'
import { keyOf, type Relation, type Schema } from '../schema/model.ts'
import type { RestRequest } from './operation.ts'

export function findRelation({ schemaName, name }: RestRequest, schema: Schema): Relation {
  const qualifiedName = { schema: schemaName, name }
  const relation = schema.relations.get(keyOf(qualifiedName))
  if (!relation) throw tableNotFound(qualifiedName, schema)
  return relation
}
