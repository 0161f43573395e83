import { Ruler } from 'lucide-react'
import { useState } from 'react'
import type { MeasuredLure } from '#app/storefront/catalogue/measured-lure.ts'
import { Row } from '#app/ui/layout.tsx'
import { useDialogLink } from '#app/ui/use-dialog-link.ts'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'

const loadGuide = () => import('./size-dialog.tsx')

/** Opens the size guide in a dialog, or on its page. */
export function SizeGuideLink({ lures }: { lures: MeasuredLure[] }) {
  const [guide, loadGuideNow] = useLazyModule(loadGuide)
  const [isOpen, setIsOpen] = useState(false)
  const dialogLink = useDialogLink()
  const link = dialogLink('/size-guide', loadGuideNow, () => setIsOpen(true))

  return (
    <>
      <Row as="a" inline touch gap={2} tone="ink" size="s" weight={550} {...link}>
        <Ruler size={18} aria-hidden />
        Size guide
      </Row>
      {guide && isOpen && <guide.SizeDialog lures={lures} onClose={() => setIsOpen(false)} />}
    </>
  )
}
