/** Catalogue rows → the schema the planner asks. Pure. */

import type { CatalogueRows, RelationRow, RoutineRow } from './catalogue.ts'
import { castTypes } from './cast-types.ts'
import {
  keyOf,
  type Column,
  type Name,
  type Relation,
  type Relationship,
  type Routine,
  type Schema,
} from './model.ts'
import {
  computedRelationship,
  junctionRelationships,
  keyRelationships,
  withoutOverridden,
  type Face,
} from './relationships.ts'
import { toRoutine } from './routines.ts'
import { viewColumns, type ViewColumn } from './view-columns.ts'

export function buildSchema(rows: CatalogueRows, exposed: readonly string[], searchPath: string[]): Schema {
  const relationByOid = new Map(rows.relations.map((relation) => [relation.oid, relation]))
  const faces = facesOf(rows)
  const keysByTable = Map.groupBy(
    rows.keys.filter(({ kind }) => kind !== 'foreign'),
    ({ relation }) => relation,
  )

  const relations = new Map<string, Relation>()
  for (const row of rows.relations) {
    const primaryKey = primaryKeyOf(row, faces, rows)
    relations.set(keyOf(row), {
      schema: row.schema,
      name: row.name,
      isView: row.isView,
      columns: new Map(row.columns.map((column) => [column.name, toColumn(column)])),
      computedColumns: computedColumnsOf(row, rows.routines, relationByOid),
      primaryKey,
    })
  }

  const keyed = keyRelationships({
    foreignKeys: rows.keys.filter(({ kind }) => kind === 'foreign'),
    uniqueKeys: keysByTable,
    faces,
  })
  const relationships: Relationship[] = [
    ...keyed,
    ...junctionRelationships(keyed, (name) => relations.get(keyOf(name))?.primaryKey ?? []),
    ...computedRelationships(rows.routines, relationByOid),
  ].filter(
    ({ origin, target, ...over }) =>
      exposed.includes(origin.schema) &&
      origin.schema === target.schema &&
      (over.cardinality !== 'many-to-many' || exposed.includes(over.junction.schema)),
  )

  return {
    relations: new Map([...relations].filter(([, { schema }]) => exposed.includes(schema))),
    relationships: Map.groupBy(withoutOverridden(relationships), ({ origin }) => keyOf(origin)),
    routines: routinesByName(rows.routines, relationByOid, exposed),
    castTypes: castTypes(rows.types, searchPath),
    roleSettings: roleSettings(rows.roleSettings),
    allowsAggregates: rows.allowsAggregates,
    readInTransaction: rows.transaction,
  }
}

function toColumn({ name, type, default: expression }: RelationRow['columns'][number]): Column {
  return { name, type, default: expression }
}

/** For each view its columns, followed through views of views down to tables; a view replaced by one of itself shows none. */
function viewOrigins({ views }: CatalogueRows): Map<number, ViewColumn[]> {
  const direct = new Map(views.map(({ oid, rule }) => [oid, viewColumns(rule)]))
  const follow = (column: ViewColumn, depth = 0): ViewColumn => {
    const behind = direct.get(column.origin)?.find(({ number }) => number === column.originNumber)
    if (!direct.has(column.origin)) return column
    if (!behind || depth > direct.size) return { ...column, origin: 0, originNumber: 0 }
    return follow({ ...behind, number: column.number }, depth + 1)
  }
  return new Map([...direct].map(([oid, columns]) => [oid, columns.map((column) => follow(column))]))
}

/** For each table itself and every view that shows its columns. */
export function facesOf(rows: CatalogueRows): Map<number, Face[]> {
  const origins = viewOrigins(rows)
  const faces = new Map<number, Face[]>()
  const add = (table: number, face: Face) => faces.set(table, [...(faces.get(table) ?? []), face])
  for (const { oid, schema, name, isView, columns } of rows.relations) {
    const face = { oid, schema, name, isView }
    if (!isView) {
      add(oid, { ...face, columnNames: new Map(columns.map((column) => [column.number, [column.name]])) })
      continue
    }
    const nameOf = (number: number) => columns.find((column) => column.number === number)?.name ?? ''
    const byTable = Map.groupBy(origins.get(oid) ?? [], ({ origin }) => origin)
    byTable.delete(0)
    for (const [table, shown] of byTable) {
      const columnNames = new Map<number, string[]>()
      for (const { number, originNumber } of shown) {
        columnNames.set(originNumber, [...(columnNames.get(originNumber) ?? []), nameOf(number)])
      }
      add(table, { ...face, columnNames })
    }
  }
  return faces
}

/** A view's is made of the keys of all the tables behind it. */
function primaryKeyOf(relation: RelationRow, faces: Map<number, Face[]>, { keys }: CatalogueRows): string[] {
  return keys.flatMap((key) => {
    if (key.kind !== 'primary') return []
    const face = faces.get(key.relation)?.find(({ oid }) => oid === relation.oid)
    const names = key.columns.map((number) => face?.columnNames.get(number)?.[0])
    return names.every((name) => name !== undefined) ? names : []
  })
}

function computedColumnsOf(
  relation: RelationRow,
  routines: RoutineRow[],
  relationByOid: Map<number, RelationRow>,
): Set<string> {
  return new Set(
    routines
      .filter(({ argumentRelation, isSet }) => argumentRelation === relation.oid && !isSet)
      .filter(({ resultRelation, returnsVoid }) => !relationByOid.has(resultRelation) && !returnsVoid)
      .map(({ name }) => name),
  )
}

function computedRelationships(
  routines: RoutineRow[],
  relationByOid: Map<number, RelationRow>,
): Relationship[] {
  return routines.flatMap((routine) => {
    const origin = relationByOid.get(routine.argumentRelation)
    const target = relationByOid.get(routine.resultRelation)
    return origin && target ? [computedRelationship(routine, origin, target)] : []
  })
}

function routinesByName(
  rows: RoutineRow[],
  relationByOid: Map<number, RelationRow>,
  exposed: readonly string[],
): Map<string, Routine[]> {
  const routines = rows.flatMap((row) => {
    const relation = relationByOid.get(row.resultRelation)
    const columns = relation
      ? relation.columns.map(toColumn)
      : row.outputs.map((output) => ({ ...output, default: null }))
    const name: Name | null = relation && exposed.includes(relation.schema) ? relation : null
    return exposed.includes(row.schema) ? toRoutine(row, columns, name) : []
  })
  return Map.groupBy(routines, keyOf)
}

/** `authenticator` is the role that logs in on the hosted product: its settings hold for every caller that has none of its own. */
function roleSettings(rows: CatalogueRows['roleSettings']): Schema['roleSettings'] {
  const of = (role: string) =>
    Object.fromEntries(rows.filter((row) => row.role === role).map(({ name, value }) => [name, value]))
  return new Map(
    ['anon', 'authenticated', 'service_role'].map((role) => [role, { ...of('authenticator'), ...of(role) }]),
  )
}
