/** Catalogue rows → the schema that planning uses. */

import type { CatalogueRows, RelationRow, RoutineRow } from './catalogue.ts'
import { castTypes } from './cast-types.ts'
import {
  keyOf,
  type Column,
  type QualifiedName,
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
  type Projection,
} from './relationships.ts'
import { toRoutine } from './routines.ts'
import { viewColumns, type ViewColumn } from './view-columns.ts'

export function buildSchema(rows: CatalogueRows, exposed: readonly string[], searchPath: string[]): Schema {
  const relationByOid = new Map(rows.relations.map((relation) => [relation.oid, relation]))
  const projections = projectionsByTable(rows)
  const keysByTable = Map.groupBy(
    rows.keys.filter(({ kind }) => kind !== 'foreign'),
    ({ relation }) => relation,
  )

  const relations = new Map<string, Relation>()
  for (const row of rows.relations) {
    const primaryKey = primaryKeyOf(row, projections, rows)
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
    projections,
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

/** Resolves each view's columns through other views down to tables; a recursive view resolves to none. */
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

/** Returns for each table the table itself and all views that show its columns. */
export function projectionsByTable(rows: CatalogueRows): Map<number, Projection[]> {
  const origins = viewOrigins(rows)
  const projections = new Map<number, Projection[]>()
  const add = (table: number, projection: Projection) =>
    projections.set(table, [...(projections.get(table) ?? []), projection])
  for (const { oid, schema, name, isView, columns } of rows.relations) {
    const projection = { oid, schema, name, isView }
    if (!isView) {
      add(oid, {
        ...projection,
        columnNames: new Map(columns.map((column) => [column.number, [column.name]])),
      })
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
      add(table, { ...projection, columnNames })
    }
  }
  return projections
}

/** A view's primary key consists of the keys of all its tables. */
function primaryKeyOf(
  relation: RelationRow,
  projections: Map<number, Projection[]>,
  { keys }: CatalogueRows,
): string[] {
  return keys.flatMap((key) => {
    if (key.kind !== 'primary') return []
    const projection = projections.get(key.relation)?.find(({ oid }) => oid === relation.oid)
    const names = key.columns.map((number) => projection?.columnNames.get(number)?.[0])
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
    const name: QualifiedName | null = relation && exposed.includes(relation.schema) ? relation : null
    return exposed.includes(row.schema) ? toRoutine(row, columns, name) : []
  })
  return Map.groupBy(routines, keyOf)
}

/** `authenticator` is the hosted product's login role: its settings are the defaults of all callers' roles. */
function roleSettings(rows: CatalogueRows['roleSettings']): Schema['roleSettings'] {
  const of = (role: string) =>
    Object.fromEntries(rows.filter((row) => row.role === role).map(({ name, value }) => [name, value]))
  return new Map(
    ['anon', 'authenticated', 'service_role'].map((role) => [role, { ...of('authenticator'), ...of(role) }]),
  )
}
