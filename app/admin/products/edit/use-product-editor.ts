import { useRef, useState } from 'react'
import type { ProductPicture } from '#domain/catalogue.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import { useToastMutation } from '../../form/use-toast-mutation.ts'
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

/** The state of a product's page: unsaved edits, error messages, conflicts and saving. */
export function useProductEditor(record: ProductRecord) {
  const [edits, setEdits] = useState(NO_EDITS)
  const [problems, setProblems] = useState<Problems>({})
  const [conflicts, setConflicts] = useState<Conflicts | null>(null)
  const saving = useSave(record)

  const save = (saved: Edits = edits) => {
    const undescribed = undescribedPictures(saved, record)
    if (Object.keys(undescribed).length > 0) setProblems({ [PRODUCT_ROW]: undescribed })
    else send(saved)
  }
  const isSending = useRef(false)
  const send = (saved: Edits) => {
    // A second press before the button is disabled would conflict with its own first save.
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
        const parsed = parseSaveError(error)
        setProblems(parsed.problems)
        setConflicts(parsed.conflicts)
      },
    })
  }
  const resolveConflicts = (resolve: (edits: Edits, conflicts: Conflicts) => Edits) => {
    const resolved = resolve(edits, conflicts ?? {})
    setEdits(resolved)
    setConflicts(null)
    return resolved
  }
  const clearProblem = (row: string, column: string) =>
    setProblems((before) => {
      const { [column]: _cleared, ...others } = before[row] ?? {}
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
    takeTheirs: () => void resolveConflicts(takeTheirs),
    keepMine: () => save(resolveConflicts(keepMine)),
    cell: <Column extends keyof ProductCells>(column: Column): ProductCells[Column] =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only editProduct writes this cell
      (edits.product[column] ? edits.product[column].now : record[column]) as ProductCells[Column],
    textOfCell: (row: string, column: string): string => textOf(cellValue(edits, record, { row, column })),
    editProduct: (column: keyof ProductCells, typed: unknown) => {
      setEdits((before) => editProduct(before, record, { column, typed }))
      clearProblem(PRODUCT_ROW, column)
    },
    addPicture: (picture: ProductPicture) =>
      setEdits((before) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only editProduct writes this cell
        const pictures = (before.product.images?.now ?? record.images) as ProductPicture[]
        return editProduct(before, record, { column: 'images', typed: [...pictures, picture] })
      }),
    editVariant: (edit: VariantEdit) => {
      setEdits((before) => editVariant(before, record, edit))
      clearProblem(edit.row, edit.column)
    },
    addVariant: () => setEdits((before) => addVariant(before, crypto.randomUUID())),
    removeVariant: (row: string) => setEdits((before) => removeVariant(before, row)),
    moveVariant: (row: string, by: 1 | -1) => setEdits((before) => moveVariant(before, record, { row, by })),
    restoreVariant: (row: string) => setEdits((before) => restoreVariant(before, row)),
    paste: (cells: string[][], at: PasteTarget) => setEdits((before) => paste(before, record, { cells, at })),
  }
}

export type ProductEditor = ReturnType<typeof useProductEditor>

/** The edited value of a cell, else the saved one. */
function cellValue(
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

/** New pictures need a description. Older ones may be saved without. */
function undescribedPictures(edits: Edits, record: ProductRecord): Record<string, string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only editProduct writes this cell
  const pictures = (edits.product.images?.now ?? []) as ProductPicture[]
  const isNew = ({ url }: ProductPicture) => !record.images.some((saved) => saved.url === url)
  return Object.fromEntries(
    pictures.flatMap((picture, at) =>
      isNew(picture) && picture.alt.trim() === ''
        ? [[`images.${at}`, 'Describe the picture in a few words. Screen readers read them aloud.']]
        : [],
    ),
  )
}

function useSave(record: ProductRecord) {
  return useToastMutation({
    mutationFn: (edits: Edits) =>
      queryBackend((backend) =>
        backend.rpc('save_product', { product_id: record.id, changes: changesOf(edits, record) }),
      ),
    success: 'Product updated successfully',
    invalidates: ['products'],
  })
}

function parseSaveError(error: Error): { problems: Problems; conflicts: Conflicts | null } {
  return {
    problems: JSON.parse(backendError(error, 'invalid_product')?.hint ?? '{}'),
    conflicts: JSON.parse(backendError(error, 'product_changed')?.hint ?? 'null'),
  }
}
