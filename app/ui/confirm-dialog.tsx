import { Button } from './button.tsx'
import styles from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { Stack } from './layout.tsx'

interface ConfirmProps {
  title: string
  question: string
  /** What the action affects, below the question. */
  effects?: string
  /** `look` defaults to `danger`. `isBusy` locks the dialog; `isIncomplete` only keeps the action from being confirmed. */
  confirm: {
    label: string
    busyLabel: string
    isBusy: boolean
    isIncomplete?: boolean
    look?: 'danger' | 'action'
  }
  /** For questions where "Cancel" would be ambiguous. */
  dismissLabel?: string
  isOpen: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of an action that cannot be undone or affects many records. */
export function ConfirmDialog({
  title,
  question,
  effects,
  confirm,
  dismissLabel = 'Cancel',
  isOpen,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog title={title} isOpen={isOpen} isBusy={confirm.isBusy} onClose={onClose}>
      <Stack gap={3}>
        <p>{question}</p>
        {/* Announced, because the effects may be loaded after the question. */}
        {effects && <p aria-live="polite">{effects}</p>}
      </Stack>
      <div className={styles.actions}>
        <Button disabled={confirm.isBusy} onClick={onClose}>
          {dismissLabel}
        </Button>
        <Button
          look={confirm.look ?? 'danger'}
          disabled={confirm.isBusy || confirm.isIncomplete}
          onClick={onConfirm}
        >
          {confirm.isBusy ? confirm.busyLabel : confirm.label}
        </Button>
      </div>
    </Dialog>
  )
}
