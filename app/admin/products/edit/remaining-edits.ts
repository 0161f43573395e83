import {
  cellValue,
  isSame,
  parseCell,
  variantRows,
  type Cell,
  type CellEdit,
  type Edits,
  type SavedRecord,
} from './edits.ts'

export interface Save {
  sent: Edits
  /** The product that `sent` changed. */
  before: SavedRecord
  /** The reloaded product. */
  after: SavedRecord
}

/**
 * Returns the edits made while a save was running, relative to the values that it sent. Edits of colours that it added move to the ids
 * that these have in the reloaded product.
 */
export function remainingEdits(edits: Edits, { sent, before, after }: Save): Edits {
  const ids = idsOfAdded({ sent, before, after })
  const idOf = (row: string) => ids.get(row) ?? row
  const undone = sent.added.filter((row) => !edits.added.includes(row))
  const gone = new Set([...sent.removed, ...undone])

  const cells: Edits['cells'] = {}
  for (const row of Object.keys({ ...sent.cells, ...edits.cells })) {
    const kept = gone.has(row) ? [] : remainingCells(row, edits.cells[row], sent.cells[row])
    if (kept.length > 0) cells[idOf(row)] = { ...cells[idOf(row)], ...Object.fromEntries(kept) }
  }
  return {
    cells,
    added: edits.added.filter((row) => !sent.added.includes(row)),
    removed: [...edits.removed.filter((row) => !gone.has(row)), ...undone.map(idOf)],
    order: isSame(edits.order, sent.order)
      ? null
      : [...new Set((edits.order ?? variantRows(edits, before)).map(idOf))],
  }
}

/** Returns the ids of the colours that the save added, by their keys on the page. */
export function idsOfAdded({ sent, before, after }: Save): Map<string, string> {
  const nameOf = (row: string) => {
    const cell = { row, column: 'name' }
    return parseCell(cell, cellValue(sent, before, cell))
  }
  return new Map(
    sent.added.flatMap((row) =>
      after.product_variants.filter(({ name }) => name === nameOf(row)).map(({ id }) => [row, id] as const),
    ),
  )
}

function remainingCells(
  row: string,
  edited: Record<string, CellEdit> = {},
  sent: Record<string, CellEdit> = {},
): [string, CellEdit][] {
  return Object.keys({ ...sent, ...edited }).flatMap((column) => {
    const edit = remainingEdit({ row, column }, edited[column], sent[column])
    return edit ? [[column, edit]] : []
  })
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
  return isSame(parseCell(cell, now), was) ? undefined : { was, now }
}
