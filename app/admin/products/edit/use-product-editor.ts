import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ProductPicture } from '#domain/catalogue.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { keepMine, takeTheirs, type Conflicts } from './conflicts.ts'
import {
  addVariant,
  changesOf,
  countEdits,
  cellValue,
  editCell,
  PRODUCT_ROW,
  restoreVariant,
  moveVariant,
  NO_EDITS,
  removeVariant,
  textOf,
  variantRows,
  type Cell,
  type Edits,
} from './edits.ts'
import { paste, type PasteTarget } from './paste.ts'
import type { ProductCells, VariantCells } from '../fields.ts'
import type { ProductRecord } from './record.ts'
import { cheaperHooks, NO_PROBLEMS, remainingProblems, type Problems, type RefusedSave } from './problems.ts'
import { remainingEdits } from './remaining-edits.ts'

/** The state of a product's page: unsaved edits, error messages, conflicts and saving. */
export function useProductEditor(record: ProductRecord) {
  const [edits, setEdits] = useState(NO_EDITS)
  const [refused, setRefused] = useState<RefusedSave>(NO_PROBLEMS)
  const [conflicts, setConflicts] = useState<Conflicts | null>(null)
  const [confirmsHooksPrice, setConfirmsHooksPrice] = useState(false)
  const { isSaving, send } = useSave(record)
  const queries = useQueryClient()

  const save = (saved: Edits = edits) => {
    const problems = {
      ...undescribedPictures(saved, record),
      ...(!confirmsHooksPrice && cheaperHooks(saved, record)),
    }
    if (Object.keys(problems).length > 0)
      return setRefused({ edits: saved, problems: { [PRODUCT_ROW]: problems } })
    send(saved, {
      onSuccess: () => {
        setEdits((now) => remainingEdits(now, saved, record))
        setRefused(NO_PROBLEMS)
        setConflicts(null)
        setConfirmsHooksPrice(false)
      },
      onError: (error) => {
        const parsed = parseSaveError(error)
        setRefused({ edits: saved, problems: parsed.problems })
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
  const edit = (cell: Cell & { typed: unknown }) => {
    // The cache, because an upload may end in a closure that has not seen the reloaded product.
    const current = queries.getQueryData<ProductRecord>(['products', record.id]) ?? record
    setEdits((before) => (hasRow(before, current, cell.row) ? editCell(before, current, cell) : before))
  }

  return {
    edits,
    problems: remainingProblems(refused, edits, record),
    conflicts,
    rows: variantRows(edits, record),
    count: countEdits(edits),
    isSaving,
    save: () => save(),
    discard: () => {
      setEdits(NO_EDITS)
      setRefused(NO_PROBLEMS)
      setConflicts(null)
      setConfirmsHooksPrice(false)
    },
    confirmsHooksPrice,
    setConfirmsHooksPrice,
    takeTheirs: () => void resolveConflicts(takeTheirs),
    keepMine: () => save(resolveConflicts(keepMine)),
    cell: <Column extends keyof ProductCells>(column: Column): ProductCells[Column] =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page writes only fitting values
      cellValue(edits, record, { row: PRODUCT_ROW, column }) as ProductCells[Column],
    value: (cell: Cell) => cellValue(edits, record, cell),
    hasRow: (row: string) => hasRow(edits, record, row),
    colourName: (row: string) => textOf(cellValue(edits, record, { row, column: 'name' })) || 'new colour',
    textOfCell: (row: string, column: string): string => textOf(cellValue(edits, record, { row, column })),
    editProduct: (column: keyof ProductCells, typed: unknown) => edit({ row: PRODUCT_ROW, column, typed }),
    editVariant: (row: string, column: keyof VariantCells, typed: unknown) => edit({ row, column, typed }),
    choosePicture: (row: string, url: string | null, alt: string | null) => {
      edit({ row, column: 'image_url', typed: url })
      edit({ row, column: 'image_alt', typed: alt })
    },
    editCell: edit,
    /** Changes the current pictures: an upload may have added one since the last render. */
    changePictures: (change: (pictures: ProductPicture[]) => ProductPicture[]) =>
      setEdits((before) =>
        editCell(before, record, { ...PICTURES, typed: change(picturesOf(before, record)) }),
      ),
    addVariant: () => setEdits((before) => addVariant(before, crypto.randomUUID())),
    removeVariant: (row: string) => setEdits((before) => removeVariant(before, row)),
    moveVariant: (row: string, by: 1 | -1) => setEdits((before) => moveVariant(before, record, { row, by })),
    restoreVariant: (row: string) => setEdits((before) => restoreVariant(before, row)),
    paste: (cells: string[][], at: PasteTarget) => setEdits((before) => paste(before, record, { cells, at })),
  }
}

export type ProductEditor = ReturnType<typeof useProductEditor>

const PICTURES = { row: PRODUCT_ROW, column: 'images' }

function picturesOf(edits: Edits, record: ProductRecord): ProductPicture[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the page's pictures write this cell
  return cellValue(edits, record, PICTURES) as ProductPicture[]
}

/** New pictures need a description. Older ones may be saved without. Returns messages by the picture's address. */
function undescribedPictures(edits: Edits, record: ProductRecord): Record<string, string> {
  const isNew = ({ url }: ProductPicture) => !record.images.some((saved) => saved.url === url)
  return Object.fromEntries(
    picturesOf(edits, record).flatMap((picture) =>
      isNew(picture) && picture.alt.trim() === ''
        ? [[picture.url, 'Describe the picture in a few words. Screen readers read them aloud.']]
        : [],
    ),
  )
}

/** Whether the row is still there: a colour may be removed while its picture is being uploaded. */
function hasRow(edits: Edits, record: ProductRecord, row: string): boolean {
  return row === PRODUCT_ROW || (variantRows(edits, record).includes(row) && !edits.removed.includes(row))
}

interface SaveCallbacks {
  onSuccess: () => void
  onError: (error: Error) => void
}

function useSave(record: ProductRecord) {
  const isSending = useRef(false)
  const saving = useToastMutation({
    mutationFn: (edits: Edits) =>
      queryBackend((backend) =>
        backend.rpc('save_product', { product_id: record.id, changes: changesOf(edits, record) }),
      ),
    success: 'Product updated successfully',
    invalidates: ['products'],
  })
  const send = (edits: Edits, callbacks: SaveCallbacks) => {
    // A second press before the button is disabled would conflict with its own first save.
    if (isSending.current) return
    isSending.current = true
    saving.mutate(edits, {
      ...callbacks,
      onSettled: () => {
        isSending.current = false
      },
    })
  }
  return { isSaving: saving.isPending, send }
}

function parseSaveError(error: Error): { problems: Problems; conflicts: Conflicts | null } {
  return {
    problems: JSON.parse(backendError(error, 'invalid_product')?.hint ?? '{}'),
    conflicts: JSON.parse(backendError(error, 'product_changed')?.hint ?? 'null'),
  }
}
