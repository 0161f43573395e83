import { cellValue, isSame, NO_EDITS, type Edits, type Rows, type SavedRecord } from './edits.ts'

/** Error messages by row and column. Those of a picture have its address instead of a column. */
export type Problems = Rows<string>

export interface RefusedSave {
  /** What the save sent. */
  edits: Edits
  problems: Problems
}

export const NO_PROBLEMS: RefusedSave = { edits: NO_EDITS, problems: {} }

/** Returns the messages about cells that still hold what was refused, however they were changed since: typed, pasted or restored. */
export function remainingProblems(
  { edits: refused, problems }: RefusedSave,
  edits: Edits,
  record: SavedRecord,
): Problems {
  const isUnchanged = (row: string, column: string) =>
    isSame(cellValue(edits, record, { row, column }), cellValue(refused, record, { row, column })) &&
    edits.removed.includes(row) === refused.removed.includes(row)
  return Object.fromEntries(
    Object.entries(problems).map(([row, messages]) => [
      row,
      Object.fromEntries(Object.entries(messages).filter(([column]) => isUnchanged(row, column))),
    ]),
  )
}
