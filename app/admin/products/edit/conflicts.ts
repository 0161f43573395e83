import type { CellEdit, CellEdits, Edits } from './edits.ts'
import { PRODUCT_ROW } from './paste.ts'

/** The saved values that differ from what the page showed, by row (`product` or a colour's id) and column; null for a deleted row. */
export type Conflicts = Record<string, Record<string, unknown> | null>

type Now = Record<string, unknown>
type Resolve = (edit: CellEdit, column: string, now: Now) => CellEdit | null

/** Rebases my edits onto the saved values, so that the next save overwrites them. */
export function keepMine(edits: Edits, conflicts: Conflicts): Edits {
  return resolved(edits, conflicts, (edit, column, now) => ({ was: now[column], now: edit.now }))
}

/** Drops my edits of conflicting cells and keeps the others. */
export function takeTheirs(edits: Edits, conflicts: Conflicts): Edits {
  return resolved(edits, conflicts, () => null)
}

/** Also drops all edits of deleted colours. */
function resolved(edits: Edits, conflicts: Conflicts, resolve: Resolve): Edits {
  const exists = (row: string) => conflicts[row] !== null
  const variants = Object.entries(edits.variants)
    .filter(([id]) => exists(id))
    .map(([id, cells]) => [id, resolvedCells(cells, conflicts[id] ?? {}, resolve)] as const)
    .filter(([, cells]) => Object.keys(cells).length > 0)
  return {
    ...edits,
    product: resolvedCells(edits.product, conflicts[PRODUCT_ROW] ?? {}, resolve),
    variants: Object.fromEntries(variants),
    removed: edits.removed.filter(exists),
  }
}

function resolvedCells<Cells>(cells: CellEdits<Cells>, now: Now, resolve: Resolve): CellEdits<Cells> {
  const entries = Object.entries<CellEdit | undefined>(cells).flatMap(([column, edit]) => {
    const kept = edit && column in now ? resolve(edit, column, now) : edit
    return kept ? [[column, kept]] : []
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a subset of the same cells
  return Object.fromEntries(entries) as CellEdits<Cells>
}
