import type { CellEdit, Edits } from './edits.ts'

/** The saved values that differ from what the page showed, by row and column; null for a deleted row. */
export type Conflicts = Record<string, Record<string, unknown> | null>

/** Rebases my edits onto the saved values, so that the next save overwrites them. */
export function keepMine(edits: Edits, conflicts: Conflicts): Edits {
  return resolved(edits, conflicts, (edit, saved) => [{ was: saved, now: edit.now }])
}

/** Drops my edits of conflicting cells and keeps the others. */
export function takeTheirs(edits: Edits, conflicts: Conflicts): Edits {
  return resolved(edits, conflicts, () => [])
}

/** Also drops all edits of deleted colours. */
function resolved(
  edits: Edits,
  conflicts: Conflicts,
  resolve: (edit: CellEdit, saved: unknown) => CellEdit[],
): Edits {
  const exists = (row: string) => conflicts[row] !== null
  const cells = Object.entries(edits.cells).flatMap(([row, edited]) => {
    const saved = conflicts[row] ?? {}
    const kept = Object.entries(edited).flatMap(([column, edit]) =>
      (column in saved ? resolve(edit, saved[column]) : [edit]).map(
        (resolvedEdit) => [column, resolvedEdit] as const,
      ),
    )
    return exists(row) && kept.length > 0 ? [[row, Object.fromEntries(kept)] as const] : []
  })
  return { ...edits, cells: Object.fromEntries(cells), removed: edits.removed.filter(exists) }
}
