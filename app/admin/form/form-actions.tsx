import type { ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import styles from './form-dialog.module.css'

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <Row gap={3} align="stretch" justify="end" wrap className={styles.actions}>
      {children}
    </Row>
  )
}

interface Props {
  label?: string
  look?: 'action' | 'danger'
  isBusy: boolean
  /** A required field is empty. */
  isIncomplete?: boolean
  onCancel: () => void
}

/** The Cancel and submit buttons of a form in a dialog. */
export function FormActions({
  label = 'Save Changes',
  look = 'action',
  isBusy,
  isIncomplete,
  onCancel,
}: Props) {
  return (
    <DialogActions>
      <Button disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" look={look} disabled={isBusy || isIncomplete}>
        {label}
      </Button>
    </DialogActions>
  )
}
