import { Ruler } from 'lucide-react'
import { useState } from 'react'
import type { MeasuredLure } from '#app/storefront/catalogue/measured-lure.ts'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import styles from './size-guide-link.module.css'

const PAGE = '/size-guide'
const loadGuide = () => import('./size-dialog.tsx')

/** Opens the size guide in a dialog; links to the page in a new tab or without scripts. */
export function SizeGuideLink({ lures }: { lures: MeasuredLure[] }) {
  const [guide, loadGuideNow] = useLazyModule(loadGuide)
  const [isOpen, setIsOpen] = useState(false)

  const open = async () => {
    if (await loadGuideNow()) setIsOpen(true)
    else location.assign(PAGE)
  }
  return (
    <>
      <a
        href={PAGE}
        className={styles.link}
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          void open()
        }}
      >
        <Ruler size={18} aria-hidden />
        Size guide
      </a>
      {guide && isOpen && <guide.SizeDialog lures={lures} onClose={() => setIsOpen(false)} />}
    </>
  )
}
