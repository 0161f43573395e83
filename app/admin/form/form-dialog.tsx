import { Dialog, type DialogProps } from '#app/ui/dialog.tsx'
import styles from './form-dialog.module.css'
import { useFormGuard } from './use-form-guard.tsx'

/** A dialog for a form: asks before unsaved changes are lost, and Ctrl+S saves. */
export function FormDialog({ children, onClose, ...dialog }: DialogProps) {
  const { guard, leave, question } = useFormGuard()

  return (
    <Dialog {...dialog} onClose={() => leave(onClose)}>
      <div className={styles.guarded} {...guard}>
        {children}
      </div>
      {question}
    </Dialog>
  )
}
