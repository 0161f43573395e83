import type { DropStmt, Node } from 'libpg-query'
import { DatabaseProblem } from '../problem.ts'
import { type Definition, definitionsIn, placeOf } from './definitions.ts'
import { draftsOf } from './drafts.ts'
import { identifiers, nameOf, routineName } from './names.ts'
import { parseStatements, type Statement } from './parse.ts'
import type { SourceFiles, SqlFile, VersionedFile } from './source.ts'

/** Everything that the files of all sources define, each object once. */
export interface ObjectSet {
  statements: Map<VersionedFile, Statement[]>
  /** Identities of functions, views, triggers and policies that versioned files leave behind, with their place. */
  versioned: Map<string, string>
  repeatable: Definition[]
}

/** Parses all files, so that a mistake in any of them is found before the database is touched. */
export async function readObjects(all: SourceFiles[]): Promise<ObjectSet> {
  const objects: ObjectSet = { statements: new Map(), versioned: new Map(), repeatable: [] }
  // oxlint-disable no-await-in-loop -- the parser works on one text after the other anyway
  for (const { source, versioned, repeatable } of all) {
    for (const file of versioned) {
      const statements = await parseStatements(file)
      objects.statements.set(file, statements)
      for (const statement of statements) follow(objects.versioned, file, statement)
    }
    for (const file of repeatable) objects.repeatable.push(...(await definitionsIn(source, file)))
  }
  // oxlint-enable no-await-in-loop
  refuseSecondDefinitions(objects)
  return objects
}

/** Keeps `defined` at what exists after the statement. */
function follow(defined: Map<string, string>, file: SqlFile, statement: Statement): void {
  const place = placeOf({ file, line: statement.line })
  const { node } = statement
  if ('TransactionStmt' in node) {
    throw new DatabaseProblem(`${place}: a file may not begin or end the transaction that it is applied in`)
  }
  if ('DropStmt' in node) return remove(defined, node.DropStmt)
  const drafts = draftsOf(statement)
  if (typeof drafts === 'string') return
  for (const { kind, identity } of drafts) {
    if (kind === 'grant' || kind === 'comment') continue
    const earlier = defined.get(identity)
    // A later file may replace a function that an index uses: it cannot be dropped first.
    if (earlier && (!isReplacement(node) || earlier.startsWith(`${file.path},`))) {
      throw new DatabaseProblem(`${place}: ${identity} is defined already, in ${earlier}`)
    }
    defined.set(identity, place)
  }
}

function isReplacement(node: Node): boolean {
  return (
    ('CreateFunctionStmt' in node && node.CreateFunctionStmt.replace === true) ||
    ('ViewStmt' in node && node.ViewStmt.replace === true)
  )
}

function remove(defined: Map<string, string>, { removeType, objects = [] }: DropStmt): void {
  for (const object of objects) {
    if ('ObjectWithArgs' in object) {
      const { label } = routineName(object.ObjectWithArgs)
      const isGone = (identity: string) => {
        const name = identity.replace(/^(function|procedure) /, '')
        return name === label || (object.ObjectWithArgs.args_unspecified && name.startsWith(`${label}(`))
      }
      for (const identity of defined.keys()) if (isGone(identity)) defined.delete(identity)
    } else if ('List' in object) {
      const names = identifiers(object.List.items)
      if (removeType === 'OBJECT_VIEW') defined.delete(`view ${nameOf(names).label}`)
      const table = nameOf(names.slice(0, -1)).label
      if (removeType === 'OBJECT_TRIGGER') defined.delete(`trigger ${names.at(-1)} on ${table}`)
      if (removeType === 'OBJECT_POLICY') defined.delete(`policy ${names.at(-1)} on ${table}`)
    }
  }
}

function refuseSecondDefinitions({ versioned, repeatable }: ObjectSet): void {
  const defined = new Map(versioned)
  for (const definition of repeatable) {
    const place = placeOf(definition)
    const earlier = defined.get(definition.identity)
    if (earlier) {
      throw new DatabaseProblem(`${place}: ${definition.identity} is defined already, in ${earlier}`)
    }
    defined.set(definition.identity, place)
  }
}
