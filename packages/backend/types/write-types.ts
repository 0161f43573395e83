/** Writes supabase-js's `Database` type, unformatted. */

import type { PoolClient } from 'pg'

import {
  readTypes,
  type ColumnType,
  type FunctionType,
  type RelationType,
  type SchemaTypes,
} from './read-types.ts'

const HEADER = `// Made by \`npm run types:database\` from the catalogue of a fresh database. Do not edit.`

const JSON_TYPE = `export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]`

/** The PostgREST version that the API follows; the client's types depend on it. */
const POSTGREST_VERSION = '14'

/** Returns the unformatted source of the type `Database` for a schema, for `createClient<Database>`. */
export async function generateTypes(client: PoolClient, schema: string): Promise<string> {
  return writeTypes(await readTypes(client, schema), POSTGREST_VERSION)
}

export function writeTypes(schema: SchemaTypes, postgrestVersion: string): string {
  const [views, tables] = [true, false].map((isView) =>
    sortByName(schema.relations.filter((relation) => relation.isView === isView)),
  )
  const typeOf = typesOf(schema)
  const functions = [...Map.groupBy(sortByName(schema.functions), ({ name }) => name)]
  return `${HEADER}

${JSON_TYPE}

export interface Database {
  /** Tells the client which version of PostgREST the API behaves like. */
  __InternalSupabase: { PostgrestVersion: ${quoted(postgrestVersion)} }
  ${schema.name}: {
    Tables: ${record(tables?.map((table) => [table.name, relationText(table, typeOf)]))}
    Views: ${record(views?.map((view) => [view.name, relationText(view, typeOf)]))}
    Functions: ${record(functions.map(([name, overloads]) => [name, overloads.map((one) => functionText(one, typeOf)).join(' | ')]))}
    Enums: ${record(sortByName(schema.enums).map(({ name, values }) => [name, union(values)]))}
    CompositeTypes: ${record(
      sortByName(schema.composites).map(({ name, columns }) => [
        name,
        valuesText(columns, (type) => `${typeOf(type)} | null`),
      ]),
    )}
  }
}
`
}

type TypeOf = (type: string) => string

const NUMBERS = ['smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric']
const TYPES: Record<string, string> = {
  ...Object.fromEntries(NUMBERS.map((name) => [name, 'number'])),
  boolean: 'boolean',
  json: 'Json',
  jsonb: 'Json',
  void: 'undefined',
  record: 'Record<string, unknown>',
}

/** Returns a function from PostgreSQL types to the types of their JSON values. */
function typesOf({ name: schema, relations, enums, composites }: SchemaTypes): TypeOf {
  const own = (group: string, names: { name: string }[], suffix = '') =>
    names.map(({ name }) => [`${schema}.${name}`, `Database['${schema}']['${group}']['${name}']${suffix}`])
  const known: Record<string, string> = {
    ...TYPES,
    ...Object.fromEntries([
      ...own('Enums', enums),
      ...own('CompositeTypes', composites),
      ...own(
        'Tables',
        relations.filter(({ isView }) => !isView),
        `['Row']`,
      ),
      ...own(
        'Views',
        relations.filter(({ isView }) => isView),
        `['Row']`,
      ),
    ]),
  }
  return function typeOf(type: string): string {
    if (type.endsWith('[]')) return `${typeOf(type.slice(0, -2))}[]`
    // Built-in types have no schema prefix; those that are not in TYPES arrive as text.
    return known[type] ?? (type.includes('.') ? 'unknown' : 'string')
  }
}

function relationText({ columns, isView, isWritable, relationships }: RelationType, typeOf: TypeOf): string {
  const valueOf = ({ type, isNullable, choices }: ColumnType) =>
    `${choices?.length ? union(choices) : typeOf(type)}${isNullable ? ' | null' : ''}`
  const columnEntries = (isOptional: (column: ColumnType) => boolean) =>
    sortByName(columns).map((column): [string, string] =>
      column.isGenerated
        ? [`${column.name}?`, 'never']
        : [isOptional(column) ? `${column.name}?` : column.name, valueOf(column)],
    )
  const parts: [string, string][] = [
    ['Row', record(sortByName(columns).map((column) => [column.name, valueOf(column)]))],
  ]
  if (!isView || isWritable) {
    parts.push([
      'Insert',
      record(columnEntries(({ isNullable, hasDefault }) => isView || isNullable || hasDefault)),
    ])
    parts.push(['Update', record(columnEntries(() => true))])
  }
  return record([...parts, ['Relationships', relationshipsText(relationships)]])
}

function relationshipsText(relationships: RelationType['relationships']): string {
  const ordered = relationships.toSorted((one, other) => compare(keyOf(one), keyOf(other)))
  return `[${ordered
    .map(({ foreignKeyName, columns, isOneToOne, referencedRelation, referencedColumns }) =>
      record([
        ['foreignKeyName', quoted(foreignKeyName)],
        ['columns', tuple(columns)],
        ['isOneToOne', String(isOneToOne)],
        ['referencedRelation', quoted(referencedRelation)],
        ['referencedColumns', tuple(referencedColumns)],
      ]),
    )
    .join(', ')}]`
}

function keyOf({
  foreignKeyName,
  referencedRelation,
  columns,
}: RelationType['relationships'][number]): string {
  return [foreignKeyName, referencedRelation, ...columns].join(' ')
}

function functionText(fn: FunctionType, typeOf: TypeOf): string {
  const args = fn.arguments.map(({ name, type, isOptional, isNullable }): [string, string] => [
    isOptional ? `${name}?` : name,
    `${typeOf(type)}${isNullable ? ' | null' : ''}`,
  ])
  const isRow = fn.relation === null && fn.outputs.length > 0 && fn.result === 'record'
  const one = isRow ? valuesText(fn.outputs, typeOf) : typeOf(fn.result)
  return record([
    ['Args', args.length > 0 ? record(args) : 'never'],
    ['Returns', fn.isSet && !(fn.relation && fn.returnsOneRow) ? `${one}[]` : one],
    ...(fn.relation ? [setofText(fn, fn.relation)] : []),
  ])
}

/** Marks rows of a relation, so that the client can embed related rows. */
function setofText({ isSet, returnsOneRow }: FunctionType, relation: string): [string, string] {
  return [
    'SetofOptions',
    record([
      ['from', quoted('*')],
      ['to', quoted(relation)],
      ['isOneToOne', String(returnsOneRow)],
      ['isSetofReturn', String(isSet)],
    ]),
  ]
}

function valuesText(columns: { name: string; type: string }[], typeOf: TypeOf): string {
  return record(columns.map(({ name, type }) => [name, typeOf(type)]))
}

function record(entries: [string, string][] = []): string {
  if (entries.length === 0) return '{ [name in never]: never }'
  return `{\n${entries.map(([name, type]) => `${property(name)}: ${type}`).join('\n')}\n}`
}

function property(name: string): string {
  const plain = name.replace(/\?$/, '')
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(plain)
    ? name
    : `${quoted(plain)}${name.slice(plain.length)}`
}

function union(values: readonly string[]): string {
  return values.map(quoted).join(' | ')
}

function tuple(values: string[]): string {
  return `[${values.map(quoted).join(', ')}]`
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`
}

function sortByName<Named extends { name: string }>(named: readonly Named[]): Named[] {
  return named.toSorted((one, other) => compare(one.name, other.name))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
