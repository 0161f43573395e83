import { escapeIdentifier } from 'pg'
import type { CommentStmt } from 'libpg-query'
import type { PartialDefinition } from './definitions.ts'
import { grantDefinitions } from './grants.ts'
import { functionName, type ObjectName, relationName, routineName } from './names.ts'
import type { ParsedStatement } from './parse.ts'

const UNQUALIFIED = 'qualify the name with its schema, so that it does not depend on the search path'

/** Returns the objects that a statement of a repeatable file defines, or an error message when it is not allowed there. */
export function parseDefinitions({ node, text }: ParsedStatement): PartialDefinition[] | string {
  if ('CreateFunctionStmt' in node) {
    const { funcname, parameters, is_procedure } = node.CreateFunctionStmt
    return replaceableDefinition(
      is_procedure ? 'procedure' : 'function',
      functionName(funcname, parameters),
      text,
    )
  }
  if ('ViewStmt' in node) return replaceableDefinition('view', relationName(node.ViewStmt.view), text)
  if ('CreateTrigStmt' in node) {
    const { trigname = '', relation, isconstraint } = node.CreateTrigStmt
    const trigger = { kind: 'trigger', name: trigname, table: relationName(relation) } as const
    return tableDefinition(trigger, { text, isReplaceable: !isconstraint })
  }
  if ('CreatePolicyStmt' in node) {
    const { policy_name = '', table } = node.CreatePolicyStmt
    const policy = { kind: 'policy', name: policy_name, table: relationName(table) } as const
    return tableDefinition(policy, { text, isReplaceable: false })
  }
  if ('GrantStmt' in node) return grantDefinitions(node.GrantStmt)
  if ('CommentStmt' in node) return commentDefinition(node.CommentStmt, text)
  const words = text.split(/\s+/, 2).join(' ').toLowerCase()
  return `a repeatable file may contain functions, views, triggers, policies, grants and comments, but not "${words}"`
}

/** PostgreSQL replaces these in place, so dependent objects stay. */
function replaceableDefinition(
  type: 'function' | 'procedure' | 'view',
  name: ObjectName,
  text: string,
): PartialDefinition[] | string {
  if (!name.isQualified) return UNQUALIFIED
  return [
    {
      kind: type === 'view' ? 'view' : 'function',
      identity: `${type} ${name.label}`,
      create: text.replace(/^create(\s+or\s+replace)?/i, 'create or replace'),
      undo: `drop ${type} if exists ${name.sql}`,
    },
  ]
}

/**
 * Replaces triggers, which takes a weaker lock than dropping them and does not require owning the table: some belong to tables
 * of the backend. PostgreSQL cannot replace policies and constraint triggers, so they are dropped first; nothing depends on them.
 */
function tableDefinition(
  { kind, name, table }: { kind: 'trigger' | 'policy'; name: string; table: ObjectName },
  { text, isReplaceable }: { text: string; isReplaceable: boolean },
): PartialDefinition[] | string {
  if (!table.isQualified) return UNQUALIFIED
  const undo = `drop ${kind} if exists ${escapeIdentifier(name)} on ${table.sql}`
  const create = text.replace(/^create(\s+or\s+replace)?/i, isReplaceable ? 'create or replace' : 'create')
  const identity = `${kind} ${name} on ${table.label}`
  return [{ kind, identity, create, undo, dropFirst: !isReplaceable }]
}

function commentDefinition({ object }: CommentStmt, text: string): PartialDefinition[] | string {
  const subject = /^comment\s+on\s+(.+?)\s+is\s+(null|[eE]?'|[uU]&'|\$)/is.exec(text)?.[1]
  if (!subject) return 'write a comment as: comment on <object> is <text>'
  const label =
    object && 'ObjectWithArgs' in object
      ? `${subject.split(/\s/, 1)[0]?.toLowerCase()} ${routineName(object.ObjectWithArgs).label}`
      : subject.replaceAll(/\s+/g, ' ')
  return [
    { kind: 'comment', identity: `comment on ${label}`, create: text, undo: `comment on ${subject} is null` },
  ]
}
