import { useCallback, useRef, type FormEvent } from 'react'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Grid } from '#app/ui/layout.tsx'
import { useLeaveGuard } from '../../form/leave-guards.tsx'
import { useSaveShortcut, useWarningBeforeUnload } from '../../form/use-form-guard.tsx'
import { PicturesSection } from '../pictures/pictures-section.tsx'
import { useUploads } from '../pictures/use-uploads.ts'
import { EditConflicts } from './edit-conflicts.tsx'
import { DetailsSection } from './details-section.tsx'
import { PRODUCT_ROW } from './edits.ts'
import type { ProductRecord } from './record.ts'
import { SaveBar } from './save-bar.tsx'
import { VariantTable } from './variant-table.tsx'
import { StatusSection } from './status-section.tsx'
import { useProductEditor } from './use-product-editor.ts'

/** Edits everything of a product on one page and saves it in one request. */
export function ProductEditorForm({ record }: { record: ProductRecord }) {
  const editor = useProductEditor(record)
  const uploads = useUploads((url, row) => {
    if (row === PRODUCT_ROW) editor.changePictures((now) => [...now, { url, alt: '' }])
    else editor.choosePicture(row, url, '')
  })
  const hasUploads = uploads.uploads.some(({ row }) => editor.hasRow(row))
  const container = useRef<HTMLDivElement>(null)
  useSaveShortcut(container)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (editor.count > 0 && !editor.isSaving) editor.save()
  }
  return (
    <div ref={container}>
      <Grid as="form" columns="minmax(0, 1fr)" gap={6} noValidate onSubmit={submit}>
        <EditConflicts record={record} editor={editor} />
        <VariantTable record={record} editor={editor} uploads={uploads} />
        <PicturesSection editor={editor} uploads={uploads} />
        <StatusSection record={record} editor={editor} />
        <DetailsSection editor={editor} />
        <SaveBar editor={editor} />
      </Grid>
      <LeaveQuestion isUnsaved={editor.count > 0 || hasUploads} />
    </div>
  )
}

/** Asks only when a cell differs from its saved value or a picture is not uploaded yet. */
function LeaveQuestion({ isUnsaved }: { isUnsaved: boolean }) {
  useWarningBeforeUnload(useCallback(() => isUnsaved, [isUnsaved]))
  const { isBlocked, stay, go } = useLeaveGuard(() => isUnsaved)
  return (
    <ConfirmDialog
      title="Discard your changes?"
      question="Your changes are not saved yet."
      confirm={{ label: 'Discard', busyLabel: 'Discard', isBusy: false }}
      dismissLabel="Keep editing"
      isOpen={isBlocked}
      onConfirm={go}
      onClose={stay}
    />
  )
}
