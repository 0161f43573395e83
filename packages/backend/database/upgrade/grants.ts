import { escapeIdentifier } from 'pg'
import type { AccessPriv, GrantStmt, Node } from 'libpg-query'
import type { PartialDefinition } from './definitions.ts'
import { identifiers, type ObjectName, nameOf, relationName, roleName, routineName } from './names.ts'

const TYPES: Record<string, string> = {
  OBJECT_TABLE: 'table',
  OBJECT_SEQUENCE: 'sequence',
  OBJECT_FUNCTION: 'function',
  OBJECT_PROCEDURE: 'procedure',
  OBJECT_ROUTINE: 'routine',
  OBJECT_SCHEMA: 'schema',
  OBJECT_TYPE: 'type',
  OBJECT_DOMAIN: 'domain',
}

/** One privilege on one object (or one of its columns) for one role. */
interface Grant {
  /** Lower case; `all` means every privilege of the object type. */
  privilege: string
  column: string | null
  type: string
  object: ObjectName
  role: ObjectName
}

/** Splits a statement into single grants, so that removing one from the list revokes it. Returns an error message if invalid. */
function grantsOf(statement: GrantStmt): Grant[] | string {
  const type = TYPES[statement.objtype ?? '']
  if (statement.targtype !== 'ACL_TARGET_OBJECT')
    return 'name each object, because "all in schema" does not include later ones'
  if (!type) return 'only grants on tables, sequences, functions, schemas and types are supported'
  const objects = (statement.objects ?? []).map(objectName)
  if (type !== 'schema' && objects.some(({ isQualified }) => !isQualified)) {
    return 'qualify the name with its schema, so that it does not depend on the search path'
  }
  const roles = (statement.grantees ?? []).map(roleName)
  return privilegesOf(statement).flatMap((privilege) =>
    objects.flatMap((object) => roles.map((role) => ({ ...privilege, type, object, role }))),
  )
}

export function grantDefinitions(statement: GrantStmt): PartialDefinition[] | string {
  const grants = grantsOf(statement)
  if (typeof grants === 'string') return grants
  if (statement.is_grant) {
    const option = statement.grant_option ? ' with grant option' : ''
    return grants.map((grant) =>
      grantDefinition(grant, { create: `${grantSql(grant)}${option}`, undo: revokeSql(grant) }),
    )
  }
  if (grants.some(({ role }) => role.sql !== 'public')) {
    return 'use revoke only for default privileges of public; for other roles, remove the grant'
  }
  return grants.map((grant) => grantDefinition(grant, { create: revokeSql(grant), undo: grantSql(grant) }))
}

function grantSql(grant: Grant): string {
  return `grant ${privilegeClause(grant)} to ${grant.role.sql}`
}

function revokeSql(grant: Grant): string {
  return `revoke ${privilegeClause(grant)} from ${grant.role.sql}`
}

function grantDefinition(
  grant: Grant,
  statements: Pick<PartialDefinition, 'create' | 'undo'>,
): PartialDefinition {
  const column = grant.column ? ` (${grant.column})` : ''
  const type = grant.type === 'table' ? '' : `${grant.type} `
  const target = `${type}${grant.object.label} to ${grant.role.label}`
  return { kind: 'grant', identity: `grant ${grant.privilege}${column} on ${target}`, target, ...statements }
}

function privilegeClause({ privilege, column, type, object }: Grant): string {
  return `${privilege}${column ? ` (${escapeIdentifier(column)})` : ''} on ${type} ${object.sql}`
}

function privilegesOf({ privileges }: GrantStmt): Pick<Grant, 'privilege' | 'column'>[] {
  if (!privileges?.length) return [{ privilege: 'all', column: null }]
  return privileges.flatMap((node) => {
    const { priv_name = 'all', cols }: AccessPriv = 'AccessPriv' in node ? node.AccessPriv : {}
    const columns = cols?.length ? identifiers(cols) : [null]
    return columns.map((column) => ({ privilege: priv_name, column }))
  })
}

function objectName(node: Node): ObjectName {
  if ('RangeVar' in node) return relationName(node.RangeVar)
  if ('ObjectWithArgs' in node) return routineName(node.ObjectWithArgs)
  if ('List' in node) return nameOf(identifiers(node.List.items))
  return nameOf(identifiers([node]))
}
