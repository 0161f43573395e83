import { useRef, useState } from 'react'
import type { LurePicture } from '#domain/catalogue.ts'
import { callBackend } from '#app/session/query-backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import { useChange } from '../../list/use-change.ts'
import { keepMine, takeTheirs, type Conflicts } from './conflicts.ts'
import {
  addVariant,
  changesOf,
  countEdits,
  editProduct,
  editVariant,
  restoreVariant,
  moveVariant,
  NO_EDITS,
  removeVariant,
  textOf,
  variantRows,
  type Edits,
  type Problems,
  type VariantEdit,
} from './edits.ts'
import { paste, PRODUCT_ROW, type PasteTarget } from './paste.ts'
import type { ProductCells, ProductRecord, VariantCells } from './record.ts'

/** A product's page while it is edited: what stands in each cell, what is wrong with it, and how it is saved. */
export function useProductEditor(record: ProductRecord) {
  const [edits, setEdits] = useState(NO_EDITS)
  const [problems, setProblems] = useState<Problems>({})
  const [conflicts, setConflicts] = useState<Conflicts | null>(null)
  const saving = useSave(record)

  const save = (saved: Edits = edits) => {
    const wordless = picturesWithoutWords(saved, record)
    if (Object.keys(wordless).length > 0) setProblems({ [PRODUCT_ROW]: wordless })
    else send(saved)
  }
  const isSending = useRef(false)
  const send = (saved: Edits) => {
    // A second press, before the button could be disabled, would find its own first save and take it for somebody else's.
    if (isSending.current) return
    isSending.current = true
    saving.mutate(saved, {
      onSettled: () => {
        isSending.current = false
      },
      onSuccess: () => {
        setEdits(NO_EDITS)
        setProblems({})
        setConflicts(null)
      },
      onError: (error) => {
        const refusal = refusalOfSave(error)
        setProblems(refusal.problems)
        setConflicts(refusal.conflicts)
      },
    })
  }
  const settle = (resolve: (edits: Edits, conflicts: Conflicts) => Edits) => {
    const settled = resolve(edits, conflicts ?? {})
    setEdits(settled)
    setConflicts(null)
    return settled
  }
  const forget = (row: string, column: string) =>
    setProblems((before) => {
      const { [column]: _solved, ...others } = before[row] ?? {}
      return { ...before, [row]: others }
    })

  return {
    edits,
    problems,
    conflicts,
    rows: variantRows(edits, record),
    count: countEdits(edits),
    isSaving: saving.isPending,
    save: () => save(),
    discard: () => {
      setEdits(NO_EDITS)
      setProblems({})
      setConflicts(null)
    },
    takeTheirs: () => void settle(takeTheirs),
    keepMine: () => save(settle(keepMine)),
    cell: <Column extends keyof ProductCells>(column: Column): ProductCells[Column] =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only editProduct writes this cell
      (edits.product[column] ? edits.product[column].now : record[column]) as ProductCells[Column],
    textOfCell: (row: string, column: string): string => textOf(shown(edits, record, { row, column })),
    editProduct: (column: keyof ProductCells, typed: unknown) => {
      setEdits((before) => editProduct(before, record, { column, typed }))
      forget(PRODUCT_ROW, column)
    },
    addPicture: (picture: LurePicture) =>
      setEdits((before) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only editProduct writes this cell
        const pictures = (before.product.images?.now ?? record.images) as LurePicture[]
        return editProduct(before, record, { column: 'images', typed: [...pictures, picture] })
      }),
    editVariant: (edit: VariantEdit) => {
      setEdits((before) => editVariant(before, record, edit))
      forget(edit.row, edit.column)
    },
    addVariant: () => setEdits((before) => addVariant(before, crypto.randomUUID())),
    removeVariant: (row: string) => setEdits((before) => removeVariant(before, row)),
    moveVariant: (row: string, by: 1 | -1) => setEdits((before) => moveVariant(before, record, { row, by })),
    restoreVariant: (row: string) => setEdits((before) => restoreVariant(before, row)),
    paste: (cells: string[][], at: PasteTarget) => setEdits((before) => paste(before, record, { cells, at })),
  }
}

export type ProductEditor = ReturnType<typeof useProductEditor>

/** What a cell of the sheet shows: what was typed, or what is kept. */
function shown(
  edits: Edits,
  record: ProductRecord,
  { row, column }: { row: string; column: string },
): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers name columns of these rows
  const [productColumn, variantColumn] = [column as keyof ProductCells, column as keyof VariantCells]
  if (row === PRODUCT_ROW) {
    const edit = edits.product[productColumn]
    return edit ? edit.now : record[productColumn]
  }
  const added = edits.added[row]
  if (added) return added[variantColumn]
  const edit = edits.variants[row]?.[variantColumn]
  return edit ? edit.now : record.product_variants.find(({ id }) => id === row)?.[variantColumn]
}

/** A picture that is new here says what it shows; those from before may wait. */
function picturesWithoutWords(edits: Edits, record: ProductRecord): Record<string, string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only editProduct writes this cell
  const pictures = (edits.product.images?.now ?? []) as LurePicture[]
  const isNew = ({ url }: LurePicture) => !record.images.some((known) => known.url === url)
  return Object.fromEntries(
    pictures.flatMap((picture, at) =>
      isNew(picture) && picture.alt.trim() === ''
        ? [[`images.${at}`, 'Describe the picture in a few words: screen readers read them aloud.']]
        : [],
    ),
  )
}

function useSave(record: ProductRecord) {
  return useChange({
    change: (edits: Edits) =>
      callBackend((backend) =>
        backend.rpc('save_product', { product_id: record.id, changes: changesOf(edits, record) }),
      ),
    done: 'Product updated successfully',
    refreshes: ['products'],
  })
}

function refusalOfSave(error: Error): { problems: Problems; conflicts: Conflicts | null } {
  const refusal = error.cause
  if (!isBackendError(refusal) || refusal.hint === null) return { problems: {}, conflicts: null }
  if (refusal.details === 'product_changed') return { problems: {}, conflicts: JSON.parse(refusal.hint) }
  if (refusal.details === 'invalid_product') return { problems: JSON.parse(refusal.hint), conflicts: null }
  return { problems: {}, conflicts: null }
}
