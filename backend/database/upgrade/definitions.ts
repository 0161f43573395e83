import { DatabaseProblem } from '../problem.ts'
import { draftsOf } from './drafts.ts'
import { parseStatements } from './parse.ts'
import { hashOf, type Source, type SqlFile } from './source.ts'

export type Kind = 'function' | 'view' | 'trigger' | 'policy' | 'grant' | 'comment'

/** One object that a repeatable file defines, with the statements that make and remove it. */
export interface Definition {
  kind: Kind
  /** Names the object for people, and equals that of every other definition of it. */
  identity: string
  /** May be run again: replaces what is there. */
  create: string
  undo: string
  /** `create` alone would find the old object in its way. */
  dropFirst?: boolean
  /** Of a grant: object and role. Revoking one privilege there may take others along, those of single columns. */
  target?: string
  /** Of the `create` as written, so that an unchanged object is not touched. */
  hash: string
  source: Source
  file: SqlFile
  line: number
}

/** What can be told from the statement alone. */
export type Draft = Pick<Definition, 'kind' | 'identity' | 'create' | 'undo' | 'dropFirst' | 'target'>

export async function definitionsIn(source: Source, file: SqlFile): Promise<Definition[]> {
  const statements = await parseStatements(file)
  return statements.flatMap((statement) => {
    const drafts = draftsOf(statement)
    if (typeof drafts === 'string') throw new DatabaseProblem(`${placeOf({ file, ...statement })}: ${drafts}`)
    return drafts.map((draft) => ({
      ...draft,
      hash: hashOf(draft.create),
      source,
      file,
      line: statement.line,
    }))
  })
}

/** File and line, as messages begin. */
export function placeOf({ file, line }: { file: SqlFile; line: number }): string {
  return `${file.path}, line ${line}`
}
