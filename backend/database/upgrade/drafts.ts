import { escapeIdentifier } from 'pg'
import type { CommentStmt } from 'libpg-query'
import type { Draft } from './definitions.ts'
import { grantDrafts } from './grants.ts'
import { functionName, type Name, relationName, routineName } from './names.ts'
import type { Statement } from './parse.ts'

const UNQUALIFIED = 'write the schema before the name, so that the search path decides nothing'

/** What a statement of a repeatable file defines, or why it may not stand there. */
export function draftsOf({ node, text }: Statement): Draft[] | string {
  if ('CreateFunctionStmt' in node) {
    const { funcname, parameters, is_procedure } = node.CreateFunctionStmt
    return replaceable(is_procedure ? 'procedure' : 'function', functionName(funcname, parameters), text)
  }
  if ('ViewStmt' in node) return replaceable('view', relationName(node.ViewStmt.view), text)
  if ('CreateTrigStmt' in node) {
    const { trigname = '', relation, isconstraint } = node.CreateTrigStmt
    const trigger = { kind: 'trigger', name: trigname, table: relationName(relation) } as const
    return onTable(trigger, { text, isReplaceable: !isconstraint })
  }
  if ('CreatePolicyStmt' in node) {
    const { policy_name = '', table } = node.CreatePolicyStmt
    const policy = { kind: 'policy', name: policy_name, table: relationName(table) } as const
    return onTable(policy, { text, isReplaceable: false })
  }
  if ('GrantStmt' in node) return grantDrafts(node.GrantStmt)
  if ('CommentStmt' in node) return commentDraft(node.CommentStmt, text)
  const words = text.split(/\s+/, 2).join(' ').toLowerCase()
  return `a repeatable file holds functions, views, triggers, policies, grants and comments, but no "${words}"`
}

/** PostgreSQL replaces these in place, and what depends on them stays. */
function replaceable(type: 'function' | 'procedure' | 'view', name: Name, text: string): Draft[] | string {
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
 * A trigger is replaced, which takes a weaker lock and needs no ownership of the table: triggers hang on tables of the
 * backend. PostgreSQL replaces neither policies nor constraint triggers, on which nothing depends: the old one is dropped.
 */
function onTable(
  { kind, name, table }: { kind: 'trigger' | 'policy'; name: string; table: Name },
  { text, isReplaceable }: { text: string; isReplaceable: boolean },
): Draft[] | string {
  if (!table.isQualified) return UNQUALIFIED
  const undo = `drop ${kind} if exists ${escapeIdentifier(name)} on ${table.sql}`
  const create = text.replace(/^create(\s+or\s+replace)?/i, isReplaceable ? 'create or replace' : 'create')
  const identity = `${kind} ${name} on ${table.label}`
  return [{ kind, identity, create, undo, dropFirst: !isReplaceable }]
}

function commentDraft({ object }: CommentStmt, text: string): Draft[] | string {
  const subject = /^comment\s+on\s+(.+?)\s+is\s+(null|[eE]?'|[uU]&'|\$)/is.exec(text)?.[1]
  if (!subject) return 'a comment is written comment on <object> is <text>'
  const label =
    object && 'ObjectWithArgs' in object
      ? `${subject.split(/\s/, 1)[0]?.toLowerCase()} ${routineName(object.ObjectWithArgs).label}`
      : subject.replaceAll(/\s+/g, ' ')
  return [
    { kind: 'comment', identity: `comment on ${label}`, create: text, undo: `comment on ${subject} is null` },
  ]
}
