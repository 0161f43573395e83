import type { Source, SqlFile } from './source.ts'

export const DEFINITION_KINDS = ['function', 'view', 'trigger', 'policy', 'grant', 'comment'] as const

export type DefinitionKind = (typeof DEFINITION_KINDS)[number]

/** One object that a repeatable file defines, with the statements that create and remove it. */
export interface Definition {
  kind: DefinitionKind
  /** Readable and unique name of the object; two definitions of one object have the same identity. */
  identity: string
  /** Idempotent, except when `dropFirst` is set. */
  create: string
  undo: string
  /** PostgreSQL cannot replace the object, so `undo` must run before `create`. */
  dropFirst?: boolean
  /** Object and role of a grant. Revoking one privilege of a target also revokes column privileges. */
  target?: string
  /** Hash of `create`, so that an unchanged object is skipped. */
  hash: string
  source: Source
  file: SqlFile
  line: number
}

/** The fields that follow from the statement alone. */
export type PartialDefinition = Pick<
  Definition,
  'kind' | 'identity' | 'create' | 'undo' | 'dropFirst' | 'target'
>

/** Returns file and line for the start of a message. */
export function placeOf({ file, line }: { file: SqlFile; line: number }): string {
  return `${file.path}, line ${line}`
}
