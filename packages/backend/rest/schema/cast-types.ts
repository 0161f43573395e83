/**
 * Types allowed after `::`. Clients name them, so they are looked up, never copied into SQL: aliases of standard types here, all others in
 * pg_type, by search path.
 */

const STANDARD_NAMES: Record<string, string> = {
  int: 'int4',
  integer: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  real: 'float4',
  float: 'float8',
  'double precision': 'float8',
  decimal: 'numeric',
  boolean: 'bool',
  'character varying': 'varchar',
  character: 'bpchar',
  'bit varying': 'varbit',
  'time with time zone': 'timetz',
  'time without time zone': 'time',
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
}

export function castTypes(
  types: { schema: string; name: string }[],
  searchPath: string[],
): Map<string, string> {
  const casts = new Map<string, string>()
  for (const schema of ['pg_catalog', ...searchPath]) {
    for (const type of types) {
      if (type.schema === schema && !casts.has(type.name)) casts.set(type.name, quoted(schema, type.name))
    }
  }
  for (const [name, type] of Object.entries(STANDARD_NAMES)) casts.set(name, quoted('pg_catalog', type))
  return casts
}

function quoted(schema: string, name: string): string {
  return [schema, name].map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}
