import { ambiguousRelationship, relationshipNotFound, type RelationshipRequest } from './errors.ts'
import { keyOf, type KeyRelationship, type Relationship, type Schema } from './model.ts'

/** Returns the origin's relationship that `target!hint(…)` names. Throws PGRST200 for none, PGRST201 for several. */
export function findRelationship(request: RelationshipRequest, schema: Schema): Relationship {
  const known = schema.relationships.get(keyOf(request.origin)) ?? []
  const found = known.filter((relationship) => matchesRequest(relationship, request))
  if (found.length > 1) throw ambiguousRelationship(request, found)
  return found[0] ?? fail(request, schema)
}

function fail(request: RelationshipRequest, schema: Schema): never {
  throw relationshipNotFound(request, schema)
}

function matchesRequest(relationship: Relationship, { target, hint }: RelationshipRequest): boolean {
  if (relationship.cardinality === 'computed') return relationship.function.name === target
  const isTarget = relationship.target.name === target

  if (relationship.isSelf) return matchesSelfReference(relationship, { isTarget, target, hint })
  if (hint !== null) return isTarget && fitsHint(relationship, hint)
  if (isTarget) return true
  if (relationship.cardinality === 'many-to-many' || relationship.isTargetView) return false
  return relationship.constraint === target || onlyColumn(relationship, 'origin') === target
}

/** A self-referencing foreign key is two relationships: the table's name selects to-many, the column's to-one. */
function matchesSelfReference(
  relationship: Exclude<Relationship, { cardinality: 'computed' }>,
  { isTarget, target, hint }: { isTarget: boolean; target: string; hint: string | null },
): boolean {
  if (relationship.cardinality === 'one-to-many') {
    return isTarget && (hint === null || onlyColumn(relationship, 'other') === hint)
  }
  return (
    hint === null &&
    relationship.cardinality === 'many-to-one' &&
    onlyColumn(relationship, 'origin') === target
  )
}

function fitsHint(relationship: Exclude<Relationship, { cardinality: 'computed' }>, hint: string): boolean {
  if (relationship.cardinality === 'many-to-many') return relationship.junction.name === hint
  return (
    relationship.constraint === hint ||
    onlyColumn(relationship, 'origin') === hint ||
    onlyColumn(relationship, 'other') === hint
  )
}

function onlyColumn({ columns }: KeyRelationship, side: 'origin' | 'other'): string | undefined {
  return columns.length === 1 ? columns[0]?.[side] : undefined
}
