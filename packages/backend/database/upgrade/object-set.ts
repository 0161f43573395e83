import type { DropStmt, Node } from 'libpg-query'
import { DatabaseProblem } from '../database-problem.ts'
import { type Definition, placeOf } from './definitions.ts'
import { parseDefinitions } from './parse-definitions.ts'
import { identifiers, nameOf, routineName } from './names.ts'
import { parseStatements, type ParsedStatement } from './parse.ts'
import { hashOf, type Source, type SourceFiles, type SqlFile, type VersionedFile } from './source.ts'

/** All objects that the files of all sources define. */
export interface ObjectSet {
  statements: Map<VersionedFile, ParsedStatement[]>
  /** File and line by identity of the functions, views, triggers and policies that exist after all versioned files. */
  versioned: Map<string, string>
  repeatable: Definition[]
}

/** Parses all files, so that a syntax error in any of them is reported before the database changes. */
export async function readObjects(all: SourceFiles[]): Promise<ObjectSet> {
  const objects: ObjectSet = { statements: new Map(), versioned: new Map(), repeatable: [] }
  for (const { source, versioned, repeatable } of all) {
    for (const file of versioned) {
      const statements = await parseStatements(file)
      objects.statements.set(file, statements)
      for (const statement of statements) trackDefinition(objects.versioned, file, statement)
    }
    for (const file of repeatable) objects.repeatable.push(...(await definitionsIn(source, file)))
  }
  refuseDuplicates(objects)
  return objects
}

/** Updates `defined` to what exists after the statement. */
function trackDefinition(defined: Map<string, string>, file: SqlFile, statement: ParsedStatement): void {
  const place = placeOf({ file, line: statement.line })
  const { node } = statement
  if ('TransactionStmt' in node) {
    throw new DatabaseProblem(
      `${place}: a file must not begin or end a transaction, because it runs inside one`,
    )
  }
  if ('DropStmt' in node) return remove(defined, node.DropStmt)
  const parsed = parseDefinitions(statement)
  if (typeof parsed === 'string') return
  for (const { kind, identity } of parsed) {
    if (kind === 'grant' || kind === 'comment') continue
    const earlier = defined.get(identity)
    // A later file may replace a function, because a function that an index uses cannot be dropped.
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

function refuseDuplicates({ versioned, repeatable }: ObjectSet): void {
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

async function definitionsIn(source: Source, file: SqlFile): Promise<Definition[]> {
  const statements = await parseStatements(file)
  return statements.flatMap((statement) => {
    const parsed = parseDefinitions(statement)
    if (typeof parsed === 'string') throw new DatabaseProblem(`${placeOf({ file, ...statement })}: ${parsed}`)
    return parsed.map((definition) => ({
      ...definition,
      hash: hashOf(definition.create),
      source,
      file,
      line: statement.line,
    }))
  })
}
