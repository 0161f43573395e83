import { Button } from '#app/ui/button.tsx'
import styles from './form-dialog.module.css'

interface Props {
  /** What pressing the main button does; without one it saves changes. */
  label?: string
  isBusy: boolean
  onCancel: () => void
}

/** The foot of a dialog's form: leave it, or submit it. */
export function FormActions({ label = 'Save Changes', isBusy, onCancel }: Props) {
  return (
    <div className={styles.actions}>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" look="action" disabled={isBusy}>
        {label}
      </Button>
    </div>
  )
}
