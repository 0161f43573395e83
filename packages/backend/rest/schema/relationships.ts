/** Foreign keys → relationships for embedding. Views have the keys of their tables. */

import type { KeyRow, RoutineRow } from './catalogue.ts'
import {
  keyOf,
  type ColumnPair,
  type ComputedRelationship,
  type JunctionRelationship,
  type KeyRelationship,
  type QualifiedName,
  type Relationship,
} from './model.ts'

/** A table or a view of it, with the names that it gives to the table's columns. */
export interface Projection extends QualifiedName {
  oid: number
  isView: boolean
  /** The projection's column names by number of the table's column; a view may show a column twice. */
  columnNames: Map<number, string[]>
}

export interface KeyRelationshipInput {
  foreignKeys: KeyRow[]
  /** Primary and unique keys by table. */
  uniqueKeys: Map<number, KeyRow[]>
  /** The table itself and every view of it. */
  projections: Map<number, Projection[]>
}

export function keyRelationships({
  foreignKeys,
  uniqueKeys,
  projections,
}: KeyRelationshipInput): KeyRelationship[] {
  return foreignKeys.flatMap((key) => {
    const isUnique = (uniqueKeys.get(key.relation) ?? []).some((unique) =>
      haveSameMembers(unique.columns, key.columns),
    )
    return projectionPairs(key, projections).flatMap(({ referencing, referenced, columns }) => {
      const isSelf = keyOf(referencing) === keyOf(referenced)
      const forward: KeyRelationship = {
        cardinality: isUnique ? 'one-to-one' : 'many-to-one',
        origin: referencing,
        target: referenced,
        isTargetView: referenced.isView,
        isSelf,
        constraint: key.name,
        columns,
      }
      const backward: KeyRelationship = {
        cardinality: isUnique ? 'one-to-one' : 'one-to-many',
        origin: referenced,
        target: referencing,
        isTargetView: referencing.isView,
        isSelf,
        constraint: key.name,
        columns: columns.map(reversed),
      }
      return [forward, backward]
    })
  })
}

interface ProjectionPair {
  referencing: Projection
  referenced: Projection
  columns: ColumnPair[]
}

/** Returns each projection of a foreign key's columns, paired with each projection of the columns that it references. */
export function projectionPairs(key: KeyRow, projections: Map<number, Projection[]>): ProjectionPair[] {
  return (projections.get(key.relation) ?? []).flatMap((referencing) =>
    (projections.get(key.target) ?? []).flatMap((referenced) => {
      const pairs = key.columns.map((number, index) => {
        const others = referenced.columnNames.get(key.targetColumns[index] ?? 0) ?? []
        const origins = referencing.columnNames.get(number) ?? []
        return origins.flatMap((origin) => others.map((other) => ({ origin, other })))
      })
      return oneOfEach(pairs).map((columns) => ({ referencing, referenced, columns }))
    }),
  )
}

/** `[[1, 2], [3]]` → `[[1, 3], [2, 3]]` */
function oneOfEach<T>(choices: T[][]): T[][] {
  return choices.reduce<T[][]>(
    (chosen, items) => chosen.flatMap((before) => items.map((item) => [...before, item])),
    [[]],
  )
}

/** Two many-to-one relationships whose columns are all part of the table's primary key make it a junction of their targets. */
export function junctionRelationships(
  relationships: KeyRelationship[],
  primaryKeyOf: (name: QualifiedName) => string[],
): JunctionRelationship[] {
  const byJunction = Map.groupBy(
    relationships.filter(({ cardinality }) => cardinality === 'many-to-one'),
    ({ origin }) => keyOf(origin),
  )
  return [...byJunction.values()].flatMap((ends) =>
    ends.flatMap((toOrigin) =>
      ends
        .filter((toTarget) => toTarget.constraint !== toOrigin.constraint)
        .filter((toTarget) => {
          const primaryKey = primaryKeyOf(toOrigin.origin)
          return [...toOrigin.columns, ...toTarget.columns].every(({ origin }) => primaryKey.includes(origin))
        })
        .map((toTarget) => junctionBetween(toOrigin, toTarget)),
    ),
  )
}

function junctionBetween(toOrigin: KeyRelationship, toTarget: KeyRelationship): JunctionRelationship {
  return {
    cardinality: 'many-to-many',
    origin: toOrigin.target,
    target: toTarget.target,
    isTargetView: toTarget.isTargetView,
    isSelf: keyOf(toOrigin.target) === keyOf(toTarget.target),
    junction: toOrigin.origin,
    originConstraint: toOrigin.constraint,
    originColumns: toOrigin.columns.map(reversed),
    targetConstraint: toTarget.constraint,
    targetColumns: toTarget.columns.map(reversed),
  }
}

type Named = Pick<Projection, 'schema' | 'name' | 'isView'>

/** A function from a row to rows of another relation. */
export function computedRelationship(
  routine: RoutineRow,
  origin: Named,
  target: Named,
): ComputedRelationship {
  return {
    cardinality: 'computed',
    origin,
    target,
    isTargetView: target.isView,
    isSelf: keyOf(origin) === keyOf(target),
    function: { schema: routine.schema, name: routine.name },
    isToOne: !routine.isSet || routine.estimatedRows === 1,
  }
}

/** Removes detected relationships that a computed one of the same name overrides. */
export function withoutOverridden(relationships: Relationship[]): Relationship[] {
  const computed = relationships.filter((relationship) => relationship.cardinality === 'computed')
  return relationships.filter(
    (relationship) =>
      relationship.cardinality === 'computed' ||
      !computed.some(
        (override) =>
          keyOf(override.origin) === keyOf(relationship.origin) &&
          override.function.name === relationship.target.name,
      ),
  )
}

function reversed({ origin, other }: ColumnPair): ColumnPair {
  return { origin: other, other: origin }
}

export function haveSameMembers(left: number[], right: number[]): boolean {
  return left.length === right.length && left.every((member) => right.includes(member))
}
