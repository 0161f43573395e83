/** Foreign keys → what can be embedded in what. Views show the keys of the tables behind them. */

import type { KeyRow, RoutineRow } from './catalogue.ts'
import {
  keyOf,
  type ColumnPair,
  type ComputedRelationship,
  type JunctionRelationship,
  type KeyRelationship,
  type Name,
  type Relationship,
} from './model.ts'

/** A table, or a view of it: where each of the table's columns can be found. */
export interface Face extends Name {
  oid: number
  isView: boolean
  /** Names of the face's columns by number of the table's column: a view may show one twice. */
  columnNames: Map<number, string[]>
}

export interface KeyFacts {
  foreignKeys: KeyRow[]
  /** Primary and unique keys by table. */
  uniqueKeys: Map<number, KeyRow[]>
  /** The table itself and every view of it. */
  faces: Map<number, Face[]>
}

export function keyRelationships({ foreignKeys, uniqueKeys, faces }: KeyFacts): KeyRelationship[] {
  return foreignKeys.flatMap((key) => {
    const isUnique = (uniqueKeys.get(key.relation) ?? []).some((unique) =>
      haveSameMembers(unique.columns, key.columns),
    )
    return pairsOfFaces(key, faces).flatMap(({ referencing, referenced, columns }) => {
      const isSelf = keyOf(referencing) === keyOf(referenced)
      const forth: KeyRelationship = {
        cardinality: isUnique ? 'one-to-one' : 'many-to-one',
        origin: referencing,
        target: referenced,
        isTargetView: referenced.isView,
        isSelf,
        constraint: key.name,
        columns,
      }
      const back: KeyRelationship = {
        cardinality: isUnique ? 'one-to-one' : 'one-to-many',
        origin: referenced,
        target: referencing,
        isTargetView: referencing.isView,
        isSelf,
        constraint: key.name,
        columns: columns.map(reversed),
      }
      return [forth, back]
    })
  })
}

interface PairOfFaces {
  referencing: Face
  referenced: Face
  columns: ColumnPair[]
}

/** Where a foreign key shows: each table or view of its columns, with each of the columns that it refers to. */
export function pairsOfFaces(key: KeyRow, faces: Map<number, Face[]>): PairOfFaces[] {
  return (faces.get(key.relation) ?? []).flatMap((referencing) =>
    (faces.get(key.target) ?? []).flatMap((referenced) => {
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

/** Two to-one relationships of a table whose primary key covers the columns of both join their targets many-to-many. */
export function junctionRelationships(
  relationships: KeyRelationship[],
  primaryKeyOf: (name: Name) => string[],
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

type Named = Pick<Face, 'schema' | 'name' | 'isView'>

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

/** A computed relationship takes the place of the detected ones it is named like. */
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
