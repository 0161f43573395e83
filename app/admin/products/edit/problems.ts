import { HOOKS_CHEAPER, isHooksPriceLower } from '../product-form-errors.ts'
import {
  cellValue,
  isSame,
  NO_EDITS,
  parseCell,
  PRODUCT_ROW,
  type Edits,
  type Rows,
  type SavedRecord,
} from './edits.ts'

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

/** Asks about a lower price with hooks when either price is changed. Returns messages by column. */
export function cheaperHooks(edits: Edits, record: SavedRecord): Record<string, string> {
  const changed = edits.cells[PRODUCT_ROW] ?? {}
  if (!('price' in changed || 'price_with_hooks' in changed)) return {}
  const parsed = (column: string) => {
    const cell = { row: PRODUCT_ROW, column }
    return parseCell(cell, cellValue(edits, record, cell))
  }
  const [price, price_with_hooks] = [parsed('price'), parsed('price_with_hooks')]
  const areNumbers = typeof price === 'number' && typeof price_with_hooks === 'number'
  return areNumbers && isHooksPriceLower({ price, price_with_hooks })
    ? { price_with_hooks: HOOKS_CHEAPER }
    : {}
}
