import { escapeIdentifier } from 'pg'
import type { FunctionParameter, Node, ObjectWithArgs, RangeVar, RoleSpec, TypeName } from 'libpg-query'

/** An object's name for messages (`label`) and for statements (`sql`). */
export interface ObjectName {
  label: string
  sql: string
  /** False when the name has no schema. */
  isQualified: boolean
}

export function nameOf(parts: string[]): ObjectName {
  return {
    label: parts.join('.'),
    sql: parts.map(escapeIdentifier).join('.'),
    isQualified: parts.length > 1,
  }
}

export function relationName(relation: RangeVar | undefined): ObjectName {
  return nameOf([relation?.schemaname, relation?.relname].filter((part) => part !== undefined))
}

export function identifiers(nodes: Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []))
}

export function roleName(node: Node): ObjectName {
  const role: RoleSpec = 'RoleSpec' in node ? node.RoleSpec : {}
  if (role.roletype === 'ROLESPEC_PUBLIC') return { label: 'public', sql: 'public', isQualified: false }
  return nameOf([role.rolename ?? String(role.roletype)])
}

/** Returns the function's name with the types of its input parameters. */
export function functionName(name: Node[] | undefined, parameters: Node[] | undefined): ObjectName {
  const { label, sql, isQualified } = nameOf(identifiers(name))
  const types = (parameters ?? []).flatMap(inputType)
  return {
    label: `${label}(${types.map((type) => type.label).join(', ')})`,
    sql: `${sql}(${types.map((type) => type.sql).join(', ')})`,
    isQualified,
  }
}

/** Returns a function's name as in `grant`, `comment` and `drop`, where the types may be omitted if the name is unique. */
export function routineName(routine: ObjectWithArgs): ObjectName {
  if (routine.args_unspecified) return nameOf(identifiers(routine.objname))
  if (routine.objfuncargs) return functionName(routine.objname, routine.objfuncargs)
  const parameters = (routine.objargs ?? []).flatMap((type) =>
    'TypeName' in type ? [{ FunctionParameter: { argType: type.TypeName } }] : [],
  )
  return functionName(routine.objname, parameters)
}

function typeName(type: TypeName): Pick<ObjectName, 'label' | 'sql'> {
  const parts = identifiers(type.names)
  const array = '[]'.repeat(type.arrayBounds?.length ? 1 : 0)
  const shown = parts.length > 1 && /^(pg_catalog|public)$/.test(parts[0] ?? '') ? parts.slice(1) : parts
  return { label: shown.join('.') + array, sql: nameOf(parts).sql + array }
}

function inputType(node: Node) {
  const parameter: FunctionParameter = 'FunctionParameter' in node ? node.FunctionParameter : {}
  const isResult = parameter.mode === 'FUNC_PARAM_OUT' || parameter.mode === 'FUNC_PARAM_TABLE'
  return isResult || !parameter.argType ? [] : [typeName(parameter.argType)]
}
