import type { CellEdit, CellEdits, Edits } from './edits.ts'
import { PRODUCT_ROW } from './paste.ts'

/** What stands in the cells now, by row (`product` or a colour's id) and column; null for a row that is gone. */
export type Conflicts = Record<string, Record<string, unknown> | null>

type Now = Record<string, unknown>
type Settle = (edit: CellEdit, column: string, now: Now) => CellEdit | null

/** Mine are to be saved over theirs: they count as seen. */
export function keepMine(edits: Edits, conflicts: Conflicts): Edits {
  return settled(edits, conflicts, (edit, column, now) => ({ was: now[column], now: edit.now }))
}

/** Theirs stay: my cells that collide with them are given up, all others are kept. */
export function takeTheirs(edits: Edits, conflicts: Conflicts): Edits {
  return settled(edits, conflicts, () => null)
}

/** What collides is settled; of a colour that is gone nothing is left to change. */
function settled(edits: Edits, conflicts: Conflicts, settle: Settle): Edits {
  const isThere = (row: string) => conflicts[row] !== null
  const variants = Object.entries(edits.variants)
    .filter(([id]) => isThere(id))
    .map(([id, cells]) => [id, settledCells(cells, conflicts[id] ?? {}, settle)] as const)
    .filter(([, cells]) => Object.keys(cells).length > 0)
  return {
    ...edits,
    product: settledCells(edits.product, conflicts[PRODUCT_ROW] ?? {}, settle),
    variants: Object.fromEntries(variants),
    removed: edits.removed.filter(isThere),
  }
}

function settledCells<Cells>(cells: CellEdits<Cells>, now: Now, settle: Settle): CellEdits<Cells> {
  const entries = Object.entries<CellEdit | undefined>(cells).flatMap(([column, edit]) => {
    const kept = edit && column in now ? settle(edit, column, now) : edit
    return kept ? [[column, kept]] : []
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some of the same cells
  return Object.fromEntries(entries) as CellEdits<Cells>
}
