import { Dialog } from '#app/ui/dialog.tsx'
import type { MeasuredLure } from '#app/storefront/catalogue/measured-lure.ts'
import { Sizes } from '#app/storefront/size-guide/sizes.tsx'
import { Stack } from '#app/ui/layout.tsx'

export function SizeDialog({ lures, onClose }: { lures: MeasuredLure[]; onClose: () => void }) {
  return (
    <Dialog title="Size Guide" isOpen onClose={onClose} width={760}>
      <Stack gap={5}>
        <p>Measured nose to tail, without hooks and rings. Marks every 50&nbsp;mm.</p>
        <Sizes lures={lures} />
      </Stack>
    </Dialog>
  )
}
