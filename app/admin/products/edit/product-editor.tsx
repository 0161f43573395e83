import type { FormEvent, KeyboardEvent } from 'react'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { PicturesSection } from '../pictures/pictures-section.tsx'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { DetailsSection } from './details-section.tsx'
import styles from './product-editor.module.css'
import type { ProductRecord } from './record.ts'
import { SaveBar } from './save-bar.tsx'
import { Sheet } from './sheet.tsx'
import { StatusSection } from './status-section.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useProductEditor } from './use-product-editor.ts'

/** Everything of a lure on one page, saved in one go. */
export function ProductEditorForm({ record }: { record: ProductRecord }) {
  const editor = useProductEditor(record)
  const leaving = useLeaveGuard(editor.count > 0)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    editor.save()
  }
  const saveByKeys = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (editor.count > 0 && !editor.isSaving) editor.save()
  }
  return (
    // Ctrl+S saves from any field in it; the button below does the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form className={styles.form} noValidate onSubmit={submit} onKeyDown={saveByKeys}>
      <ChangedMeanwhile record={record} editor={editor} />
      <Sheet record={record} editor={editor} />
      <PicturesSection editor={editor} />
      <StatusSection record={record} editor={editor} />
      <DetailsSection editor={editor} />
      <SaveBar editor={editor} />
      <ConfirmDialog
        title="Leave without saving?"
        question="What you changed on this page is not saved yet."
        confirm={{ label: 'Leave', busyLabel: 'Leave', isBusy: false }}
        dismissLabel="Stay"
        isOpen={leaving.state === 'blocked'}
        onConfirm={() => leaving.proceed?.()}
        onClose={() => leaving.reset?.()}
      />
    </form>
  )
}
