import { ArrowUp, ImagePlus, Plus, Trash2, Undo2 } from 'lucide-react'
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Hint, Section } from '#app/ui/layout.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { ColourPictureDialog } from './colour-picture-dialog.tsx'
import { PRODUCT_ROW } from './edits.ts'
import {
  columnLabel,
  parseClipboard,
  isEditable,
  VARIANT_TABLE_COLUMNS,
  type VariantTableColumn,
} from './paste.ts'
import type { ProductRecord } from './record.ts'
import { INPUT_MODES, VariantTableCell } from './variant-table-cell.tsx'
import styles from './variant-table.module.css'
import { UploadList } from '../pictures/upload-list.tsx'
import type { Uploads } from '../pictures/use-uploads.ts'
import { QueryWarning } from '../../list/resource-list.tsx'
import { totalUnits, useUnshippedUnits, type UnshippedUnits } from '../stock/stock.ts'
import { moveFocus } from './variant-table-keys.ts'
import type { ProductEditor } from './use-product-editor.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'

interface RowProps {
  record: ProductRecord
  editor: ProductEditor
}

interface VariantTableProps extends RowProps {
  uploads: Uploads
}

/**
 * Edits a product's colours like a spreadsheet. The first row has the prices, because all colours of a product cost the same. The page
 * saves the edits.
 */
export function VariantTable({ record, editor, uploads }: VariantTableProps) {
  const table = useRef<HTMLTableElement>(null)
  const [pictureRow, setPictureRow] = useState<string | null>(null)
  const colours = editor.rows
  const rows = [PRODUCT_ROW, ...colours]
  const unshipped = useUnshippedUnits(record.id)
  const remaining = colours.filter((row) => !editor.edits.removed.includes(row))

  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => moveFocus(event, table.current)
  const onPaste = (event: ClipboardEvent<HTMLTableElement>) => {
    const at = cellAt(event.target)
    const text = event.clipboardData.getData('text/plain')
    if (!at || !/[\t\n]/.test(text.trimEnd())) return
    event.preventDefault()
    editor.paste(parseClipboard(text), { rows, ...at })
  }

  return (
    <Section title="Colours, stock and prices" align="start">
      <Hint>
        Use the arrow keys and Enter to move between cells, and paste cells from a spreadsheet. A stock
        quantity that you enter here is recorded as counted: leave out the lures of paid orders that have not
        left.
      </Hint>
      <QueryWarning query={unshipped}>
        Paid orders that have not left could not be loaded, so none are shown.
      </QueryWarning>
      <div className={styles.scroller}>
        {/* Handles keys and pastes that bubble up from the inputs. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table ref={table} className={styles.table} onKeyDown={onKeyDown} onPaste={onPaste}>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>Picture</VisuallyHidden>
              </th>
              {VARIANT_TABLE_COLUMNS.map((column) => (
                <th key={column} scope="col" className={column in INPUT_MODES ? styles.number : undefined}>
                  {columnLabel(column)}
                </th>
              ))}
              <th scope="col">
                <VisuallyHidden>Move and remove</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            <ProductRow record={record} editor={editor} />
            {colours.map((row, at) => (
              <ColourRow
                key={row}
                row={row}
                isFirst={at === 0}
                editor={editor}
                isOnly={remaining.length === 1}
                unshipped={unshipped.data?.filter(({ variant_id }) => variant_id === row) ?? []}
                onPicture={setPictureRow}
              />
            ))}
          </tbody>
        </table>
      </div>
      <UploadList
        uploads={uploads}
        shows={(row) => row !== PRODUCT_ROW && editor.hasRow(row)}
        rowName={editor.colourName}
      />
      <Button onClick={editor.addVariant}>
        <Plus size={18} aria-hidden /> Add colour
      </Button>
      {pictureRow && (
        <ColourPictureDialog
          row={pictureRow}
          editor={editor}
          uploads={uploads}
          onClose={() => setPictureRow(null)}
        />
      )}
    </Section>
  )
}

function cellAt(target: EventTarget): { row: string; column: VariantTableColumn } | null {
  if (!(target instanceof HTMLInputElement)) return null
  const { row, column } = target.dataset
  const known = VARIANT_TABLE_COLUMNS.find((name) => name === column)
  return row && known ? { row, column: known } : null
}

function ProductRow({ record, editor }: RowProps) {
  return (
    <tr className={styles.productRow}>
      <td className={styles.picture}>
        {record.image_url ? <Thumbnail src={pictureUrl(record.image_url, 160)} alt="Main" size={44} /> : '–'}
      </td>
      <th scope="row" className={classNames(styles.text, styles.total)}>
        All colours
      </th>
      <td className={classNames(styles.text, styles.wideOnly)}>{record.model || '–'}</td>
      <td className={classNames(styles.text, styles.total, styles.number)} data-label="Stock">
        {record.stock_quantity}
      </td>
      <VariantTableCell row={PRODUCT_ROW} rowName="all colours" column="price" editor={editor} />
      <VariantTableCell row={PRODUCT_ROW} rowName="all colours" column="price_with_hooks" editor={editor} />
      <td className={classNames(styles.text, styles.wideOnly)}>–</td>
    </tr>
  )
}

function unshippedText(units: UnshippedUnits[]): string | null {
  return units.length > 0 ? `and ${totalUnits(units)} for paid orders` : null
}

interface ColourRowProps {
  row: string
  editor: ProductEditor
  isFirst: boolean
  isOnly: boolean
  unshipped: UnshippedUnits[]
  onPicture: (row: string) => void
}

function ColourRow({ row, editor, isFirst, isOnly, unshipped, onPicture }: ColourRowProps) {
  const name = editor.colourName(row)
  const picture = editor.textOfCell(row, 'image_url')
  const isRemoved = editor.edits.removed.includes(row)

  return (
    <tr className={classNames(isRemoved && styles.removed)}>
      <td className={styles.picture}>
        <button
          type="button"
          className={styles.thumbnail}
          aria-label={`Picture of ${name}`}
          disabled={isRemoved}
          onClick={() => onPicture(row)}
        >
          {picture ? (
            <Thumbnail src={pictureUrl(picture, 160)} size={44} />
          ) : (
            <ImagePlus size={20} aria-hidden />
          )}
        </button>
      </td>
      {VARIANT_TABLE_COLUMNS.map((column) =>
        isEditable(row, column) ? (
          <VariantTableCell
            key={column}
            {...{ row, column, editor, isRemoved }}
            rowName={name}
            hint={column === 'stock_quantity' ? unshippedText(unshipped) : null}
          />
        ) : (
          <td key={column} className={classNames(styles.text, styles.number, styles.wideOnly)}>
            {editor.textOfCell(PRODUCT_ROW, column) || '–'}
          </td>
        ),
      )}
      <td className={styles.remove}>
        <IconButton
          icon={ArrowUp}
          label={`Move ${name} up`}
          disabled={isFirst}
          onClick={() => editor.moveVariant(row, -1)}
        />
        {isRemoved ? (
          <IconButton
            icon={Undo2}
            label={`Restore ${name}`}
            disabled={editor.isSaving}
            onClick={() => editor.restoreVariant(row)}
          />
        ) : (
          <IconButton
            icon={Trash2}
            label={`Remove ${name}`}
            disabled={isOnly}
            onClick={() => editor.removeVariant(row)}
          />
        )}
      </td>
    </tr>
  )
}
