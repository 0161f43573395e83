import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Hint } from '#app/ui/layout.tsx'
import formStyles from '../../form/form-dialog.module.css'
import { findWaybill } from '../waybill.ts'
import styles from './scan-dialog.module.css'
import { useBarcodeScanner } from './use-barcode-scanner.ts'
import { DialogActions } from '../../form/form-actions.tsx'

interface Props {
  onScanned: (waybill: string) => void
  onClose: () => void
}

/** Accepts the first barcode that looks like a waybill number. */
export function ScanDialog({ onScanned, onClose }: Props) {
  const [rejected, setRejected] = useState<string | null>(null)
  const { video, problem } = useBarcodeScanner((text) => {
    const waybill = findWaybill(text)
    if (waybill) onScanned(waybill)
    else setRejected(text)
    return waybill !== null
  })

  return (
    <Dialog title="Scan waybill" isOpen onClose={onClose}>
      <div className={formStyles.form}>
        {problem ? (
          <p role="alert">{problem}</p>
        ) : (
          <>
            <video ref={video} className={styles.view} muted playsInline aria-label="What the camera sees" />
            <Hint role="status">
              {rejected
                ? `“${rejected.slice(0, 60)}” is not a waybill number. Try the other barcode.`
                : 'Point the camera at the barcode.'}
            </Hint>
          </>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
