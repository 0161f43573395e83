import {
  isSame,
  isShown,
  parseCell,
  variantRows,
  type Cell,
  type CellEdit,
  type Edits,
  type SavedRecord,
} from './edits.ts'

/** Returns the edits made while `sent` was being saved, relative to the values that it sent. `before` is the product that `sent` changed. */
export function remainingEdits(edits: Edits, sent: Edits, before: SavedRecord): Edits {
  const removedMeanwhile = sent.added.filter((row) => !edits.added.includes(row))
  const gone = new Set([...sent.removed, ...removedMeanwhile])
  const rows = Object.keys({ ...sent.cells, ...edits.cells }).filter((row) => !gone.has(row))
  const cells = rows.map((row) => [row, remainingCells(row, edits.cells[row], sent.cells[row])] as const)
  return {
    cells: Object.fromEntries(cells.filter(([, row]) => Object.keys(row).length > 0)),
    added: edits.added.filter((row) => !sent.added.includes(row)),
    removed: [...edits.removed.filter((row) => !gone.has(row)), ...removedMeanwhile],
    order: isSame(edits.order, sent.order) ? null : (edits.order ?? variantRows(edits, before)),
  }
}

type CellEdits = Record<string, CellEdit>

function remainingCells(row: string, edited: CellEdits = {}, sent: CellEdits = {}): CellEdits {
  const columns = Object.keys({ ...sent, ...edited })
  return Object.fromEntries(
    columns.flatMap((column) => {
      const edit = remainingEdit({ row, column }, edited[column], sent[column])
      return edit ? [[column, edit]] : []
    }),
  )
}

function remainingEdit(
  cell: Cell,
  edit: CellEdit | undefined,
  sent: CellEdit | undefined,
): CellEdit | undefined {
  if (!sent) return edit
  const was = parseCell(cell, sent.now)
  // Typing the value from before the save has dropped the edit.
  const { now } = edit ?? { now: sent.was }
  return isSame(now, sent.now) || isShown(now, was) ? undefined : { was, now }
}
