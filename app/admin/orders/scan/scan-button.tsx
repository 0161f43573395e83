import { ScanBarcode } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import { canScan } from './barcode-detector.ts'

/** Renders nothing when the browser cannot read barcodes. Loads the scanner on the first press. */
export function ScanButton({ onScanned }: { onScanned: (waybill: string) => void }) {
  const [module, load, hasFailed] = useLazyModule(() => import('./scan-dialog.tsx'))
  const [isOpen, setIsOpen] = useState(false)
  if (!canScan()) return null

  const open = async () => setIsOpen(await load())
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => void open()}>
        <ScanBarcode size={18} aria-hidden /> Scan waybill
      </Button>
      {hasFailed && <p role="alert">The scanner did not load. Try again, or type the number.</p>}
      {module && isOpen && (
        <module.ScanDialog
          onClose={close}
          onScanned={(waybill) => {
            close()
            onScanned(waybill)
          }}
        />
      )}
    </>
  )
}
