/** Reads the relations and functions of a schema from PostgreSQL's catalogue. */

import type { PoolClient } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import { projectionsByTable } from '../rest/schema/build.ts'
import { type CatalogueRows, readSystemCatalogue } from '../rest/schema/catalogue.ts'
import { haveSameMembers, projectionPairs } from '../rest/schema/relationships.ts'
import { type ColumnFacts, viewFacts } from './view-columns.ts'

const field = z.object({ name: z.string(), type: z.string() })

const attributeRow = z.object({
  relation: z.number(),
  number: z.number(),
  name: z.string(),
  /** Output of `format_type` with an empty search path: `text[]`, `public.mood`. */
  type: z.string(),
  isNullable: z.boolean(),
  hasDefault: z.boolean(),
  /** PostgreSQL computes the value and refuses any other. */
  isGenerated: z.boolean(),
  isWritable: z.boolean(),
  /** A check constraint on this column alone, as printed by PostgreSQL. */
  check: z.string().nullable(),
})

const functionType = z.object({
  name: z.string(),
  arguments: z.array(field.extend({ isOptional: z.boolean(), isNullable: z.boolean() })),
  /** Columns of `returns table`, or `out` arguments. */
  outputs: z.array(field),
  result: z.string(),
  /** The relation whose rows it returns. */
  relation: z.string().nullable(),
  isSet: z.boolean(),
  returnsOneRow: z.boolean(),
})

const enumType = z.object({ name: z.string(), values: z.array(z.string()) })
const compositeType = z.object({ name: z.string(), columns: z.array(field) })

type AttributeRow = z.infer<typeof attributeRow>
export type FunctionType = z.infer<typeof functionType>
export type ColumnType = ColumnFacts & Pick<AttributeRow, 'name' | 'type' | 'hasDefault' | 'isGenerated'>

interface RelationshipType {
  foreignKeyName: string
  columns: string[]
  isOneToOne: boolean
  referencedRelation: string
  referencedColumns: string[]
}

export interface RelationType {
  name: string
  isView: boolean
  /** Rows can be inserted and updated. */
  isWritable: boolean
  columns: ColumnType[]
  relationships: RelationshipType[]
}

export interface SchemaTypes {
  name: string
  relations: RelationType[]
  functions: FunctionType[]
  enums: z.infer<typeof enumType>[]
  composites: z.infer<typeof compositeType>[]
}

export async function readTypes(client: PoolClient, schema: string): Promise<SchemaTypes> {
  const rows = await readSystemCatalogue(client, [schema])
  await client.query('begin read only')
  try {
    await client.query(`select set_config('search_path', '', true)`)
    const attributes = await selectRows(client, attributeRow, [ATTRIBUTES, schema])
    return {
      name: schema,
      relations: relationTypes(rows, attributes, schema),
      functions: await selectRows(client, functionType, [FUNCTIONS, schema]),
      enums: await selectRows(client, enumType, [ENUMS, schema]),
      composites: await selectRows(client, compositeType, [COMPOSITES, schema]),
    }
  } finally {
    await client.query('rollback')
  }
}

function relationTypes(rows: CatalogueRows, attributes: AttributeRow[], schema: string): RelationType[] {
  const byRelation = Map.groupBy(attributes, ({ relation }) => relation)
  const factsOf = columnFacts(rows, byRelation)
  const relationships = relationshipTypes(rows, schema)
  return rows.relations
    .filter((relation) => relation.schema === schema)
    .map(({ oid, name, isView }) => ({
      name,
      isView,
      isWritable: byRelation.get(oid)?.some(({ isWritable }) => isWritable) ?? false,
      columns: (byRelation.get(oid) ?? []).map((column) => ({ ...column, ...factsOf(oid, column.number) })),
      relationships: relationships.get(oid) ?? [],
    }))
}

/** Resolves a view's columns down to the tables behind it. */
function columnFacts({ views }: CatalogueRows, byRelation: Map<number, AttributeRow[]>) {
  const rules = new Map(views.map(({ oid, rule }) => [oid, rule]))
  const known = new Map<number, Map<number, ColumnFacts>>()
  return factsOf

  function factsOf(relation: number, number: number): ColumnFacts {
    if (!known.has(relation)) known.set(relation, factsOfRelation(relation))
    return known.get(relation)?.get(number) ?? { isNullable: true, choices: null }
  }
  function factsOfRelation(relation: number): Map<number, ColumnFacts> {
    const rule = rules.get(relation)
    if (rule) return viewFacts(rule, factsOf)
    const columns = byRelation.get(relation) ?? []
    return new Map(
      columns.map(({ number, isNullable, check }) => [number, { isNullable, choices: choicesIn(check) }]),
    )
  }
}

const CHOICES = /^CHECK \(\([^ ]+ = ANY \(ARRAY\[((?:(?:, )?'(?:[^']|'')*'::text)+)\]\)\)\)$/

/** Returns the texts of `check (status in ('new', 'shipped'))`, or null for any other check. */
function choicesIn(check: string | null): string[] | null {
  const list = check?.match(CHOICES)?.[1]
  return list
    ? Array.from(list.matchAll(/'((?:[^']|'')*)'::text/g), ([, text = '']) => text.replaceAll("''", "'"))
    : null
}

/** Returns the foreign keys by relation. A view that contains the columns of a key has the key as well, on either side. */
function relationshipTypes(rows: CatalogueRows, schema: string): Map<number, RelationshipType[]> {
  const projections = projectionsByTable(rows)
  const [foreign, unique] = [true, false].map((isForeign) =>
    rows.keys.filter(({ kind }) => (kind === 'foreign') === isForeign),
  )
  const found = (foreign ?? []).flatMap((key) => {
    const isOneToOne = (unique ?? []).some(
      ({ relation, columns }) => relation === key.relation && haveSameMembers(columns, key.columns),
    )
    return projectionPairs(key, projections)
      .filter(({ referenced }) => referenced.schema === schema)
      .map(({ referencing, referenced, columns }) => ({
        oid: referencing.oid,
        foreignKeyName: key.name,
        columns: columns.map(({ origin }) => origin),
        isOneToOne,
        referencedRelation: referenced.name,
        referencedColumns: columns.map(({ other }) => other),
      }))
  })
  return Map.groupBy(found, ({ oid }) => oid)
}

const ATTRIBUTES = `
  select a.attrelid::int as relation, a.attnum::int as number, a.attname as name,
    format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type,
    not (a.attnotnull or t.typnotnull) as "isNullable",
    a.atthasdef or a.attidentity <> '' or t.typdefault is not null as "hasDefault",
    a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated",
    pg_relation_is_updatable(c.oid, false) & 12 = 12 as "isWritable",
    (
      select min(pg_get_constraintdef(k.oid)) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) like '% = ANY (ARRAY[%'
    ) as check
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_type t on t.oid = a.atttypid
  where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and (c.relnamespace = $1::regnamespace or exists (
      select from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
      where d.refobjid = c.oid and v.relnamespace <> 'pg_catalog'::regnamespace
    ))
  order by a.attrelid, a.attnum`

/** Functions that can be called with named arguments. An argument with default null is nullable. */
const FUNCTIONS = `
  select p.proname as name, format_type(p.prorettype, null) as result, p.proretset as "isSet",
    not p.proretset or p.prorows = 1 as "returnsOneRow",
    (
      select c.relname from pg_class c
      where c.oid = t.typrelid and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace = p.pronamespace
    ) as relation,
    coalesce((
      select json_agg(json_build_object(
        'name', p.proargnames[position], 'type', format_type(type, null),
        'isOptional', input > p.pronargs - p.pronargdefaults,
        'isNullable', coalesce(pg_get_function_arg_default(p.oid, position::int) like 'NULL::%', false)
      ) order by position)
      from (
        select *, row_number() over (order by position) as input
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes::text[])
          with ordinality as argument (type, mode, position)
        where coalesce(mode, 'i') in ('i', 'b', 'v')
      ) inputs
    ), '[]') as arguments,
    coalesce((
      select json_agg(
        json_build_object('name', coalesce(p.proargnames[position], ''), 'type', format_type(type, null)) order by position)
      from unnest(p.proallargtypes, p.proargmodes::text[]) with ordinality as output (type, mode, position)
      where mode in ('o', 'b', 't')
    ), '[]') as outputs
  from pg_proc p
  join pg_type t on t.oid = p.prorettype
  where p.pronamespace = $1::regnamespace and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and (p.pronargs = 0 or p.proargnames is not null)
  order by p.proname, p.pronargs, p.oid::regprocedure::text`

const ENUMS = `
  select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as values
  from pg_type t join pg_enum e on e.enumtypid = t.oid
  where t.typnamespace = $1::regnamespace
  group by t.typname`

const COMPOSITES = `
  select c.relname as name,
    json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = $1::regnamespace and c.relkind = 'c'
  group by c.relname`
