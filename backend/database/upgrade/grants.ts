import { escapeIdentifier } from 'pg'
import type { AccessPriv, GrantStmt, Node } from 'libpg-query'
import type { Draft } from './definitions.ts'
import { identifiers, type Name, nameOf, relationName, roleName, routineName } from './names.ts'

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
export interface Grant {
  /** Lower case; `all` stands for whatever the type of object has. */
  privilege: string
  column: string | null
  type: string
  object: Name
  role: Name
}

/** A statement's single grants, so that one that is taken from a list is revoked. */
export function grantsOf(statement: GrantStmt): Grant[] | string {
  const type = TYPES[statement.objtype ?? '']
  if (statement.targtype !== 'ACL_TARGET_OBJECT')
    return 'name each object, so that later ones are not left out'
  if (!type) return 'grants are for tables, sequences, functions, schemas and types'
  const objects = (statement.objects ?? []).map(objectName)
  if (type !== 'schema' && objects.some(({ isQualified }) => !isQualified)) {
    return 'write the schema before the name, so that the search path decides nothing'
  }
  const roles = (statement.grantees ?? []).map(roleName)
  return privilegesOf(statement).flatMap((privilege) =>
    objects.flatMap((object) => roles.map((role) => ({ ...privilege, type, object, role }))),
  )
}

export function grantDrafts(statement: GrantStmt): Draft[] | string {
  const grants = grantsOf(statement)
  if (typeof grants === 'string') return grants
  if (statement.is_grant) {
    const option = statement.grant_option ? ' with grant option' : ''
    return grants.map((grant) =>
      draft(grant, { create: `${grantSql(grant)}${option}`, undo: revokeSql(grant) }),
    )
  }
  if (grants.some(({ role }) => role.sql !== 'public')) {
    return 'revoke takes only from public what PostgreSQL grants by default; for other roles, remove the grant'
  }
  return grants.map((grant) => draft(grant, { create: revokeSql(grant), undo: grantSql(grant) }))
}

export function grantSql(grant: Grant): string {
  return `grant ${what(grant)} to ${grant.role.sql}`
}

export function revokeSql(grant: Grant): string {
  return `revoke ${what(grant)} from ${grant.role.sql}`
}

function draft(grant: Grant, statements: Pick<Draft, 'create' | 'undo'>): Draft {
  const column = grant.column ? ` (${grant.column})` : ''
  const type = grant.type === 'table' ? '' : `${grant.type} `
  const target = `${type}${grant.object.label} to ${grant.role.label}`
  return { kind: 'grant', identity: `grant ${grant.privilege}${column} on ${target}`, target, ...statements }
}

function what({ privilege, column, type, object }: Grant): string {
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

function objectName(node: Node): Name {
  if ('RangeVar' in node) return relationName(node.RangeVar)
  if ('ObjectWithArgs' in node) return routineName(node.ObjectWithArgs)
  if ('List' in node) return nameOf(identifiers(node.List.items))
  return nameOf(identifiers([node]))
}
