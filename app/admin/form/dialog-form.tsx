import type { ReactNode } from 'react'
import { FormActions } from './form-actions.tsx'
import { FormDialog } from './form-dialog.tsx'
import styles from './form-dialog.module.css'

interface Props {
  title: string
  /** The label of the submit button; defaults to Save Changes. */
  submit?: string
  look?: 'action' | 'danger'
  isBusy: boolean
  /** A required field is empty. */
  isIncomplete?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** An open dialog with one form and its Cancel and submit buttons. */
export function DialogForm({ title, submit, isBusy, onSubmit, onClose, children, ...actions }: Props) {
  return (
    <FormDialog title={title} isOpen isBusy={isBusy} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
        noValidate
      >
        {children}
        <FormActions label={submit} isBusy={isBusy} onCancel={onClose} {...actions} />
      </form>
    </FormDialog>
  )
}
