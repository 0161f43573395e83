import type { ReactNode } from 'react'
import { Dialog, type DialogProps } from '#app/ui/dialog.tsx'
import styles from './form-dialog.module.css'
import { useFormGuard, type FormGuard } from './use-form-guard.tsx'

interface Props extends Omit<DialogProps, 'children'> {
  /** A function gets `leave`, for buttons that replace the dialog. */
  children: ReactNode | ((leave: FormGuard['leave']) => ReactNode)
}

/** A dialog for a form: asks before unsaved changes are lost, Ctrl+S saves, and nothing can be typed while it is sent. */
export function FormDialog({ children, onClose, ...dialog }: Props) {
  const { guard, leave, question } = useFormGuard()

  return (
    <Dialog {...dialog} onClose={() => leave(onClose)}>
      <div className={styles.guarded} inert={dialog.isBusy} {...guard}>
        {typeof children === 'function' ? children(leave) : children}
      </div>
      {question}
    </Dialog>
  )
}
