import { ambiguousRelationship, relationshipNotFound, type WantedRelationship } from './errors.ts'
import { keyOf, type KeyRelationship, type Relationship, type Schema } from './model.ts'

/** The one relationship that `target!hint(…)` means on the origin; PGRST200 for none, PGRST201 for several. */
export function findRelationship(wanted: WantedRelationship, schema: Schema): Relationship {
  const known = schema.relationships.get(keyOf(wanted.origin)) ?? []
  const found = known.filter((relationship) => isMeant(relationship, wanted))
  if (found.length > 1) throw ambiguousRelationship(wanted, found)
  return found[0] ?? fail(wanted, schema)
}

function fail(wanted: WantedRelationship, schema: Schema): never {
  throw relationshipNotFound(wanted, schema)
}

function isMeant(relationship: Relationship, { target, hint }: WantedRelationship): boolean {
  if (relationship.cardinality === 'computed') return relationship.function.name === target
  const isTarget = relationship.target.name === target

  if (relationship.isSelf) return isMeantOfItself(relationship, { isTarget, target, hint })
  if (hint !== null) return isTarget && fitsHint(relationship, hint)
  if (isTarget) return true
  if (relationship.cardinality === 'many-to-many' || relationship.isTargetView) return false
  return relationship.constraint === target || onlyColumn(relationship, 'origin') === target
}

/** One foreign key of a table to itself is two relationships: the table's name means the many, the column's the one. */
function isMeantOfItself(
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
