import { Expand } from 'lucide-react'
import { useState, type MouseEvent } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { Picture, pictureUrl } from '#app/ui/picture.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import type { LurePicture, Product, Variant } from '#domain/catalogue.ts'
import styles from './gallery.module.css'

const loadZoom = () => import('./zoom-dialog.tsx')

/** The widest a stored picture is served. */
const WIDEST = 1200

/** The chosen colour, large; under it the lure at an angle, rigged. A tap brings each up close. */
export function Gallery({ product, variant }: { product: Product; variant: Variant | null }) {
  const [zoom, bringZoom] = useLazyModule(loadZoom)
  const [zoomed, setZoomed] = useState<number | null>(null)
  const pictures = picturesOf(product, variant)
  if (pictures.length === 0) return <div className={styles.empty}>No picture yet</div>

  const open = async (position: number, address: string) => {
    if (await bringZoom()) setZoomed(position)
    else location.assign(address)
  }
  return (
    <div className={classNames(styles.gallery, pictures.length > 2 && styles.many)}>
      {pictures.map((picture, position) => (
        <CloserLook
          key={picture.url}
          picture={picture}
          isLargest={position === 0}
          onOpen={(address) => void open(position, address)}
        />
      ))}
      {zoom && zoomed !== null && (
        <zoom.ZoomDialog
          title={product.name}
          pictures={pictures}
          first={zoomed}
          onClose={() => setZoomed(null)}
        />
      )}
    </div>
  )
}

/** The colour, then the lure; a picture that is both stands once. */
function picturesOf(product: Product, variant: Variant | null): LurePicture[] {
  const pictures = [variant?.picture, product.picture, ...product.morePictures].filter(
    (picture) => picture != null,
  )
  return [...new Map(pictures.map((picture) => [picture.url, picture])).values()]
}

interface CloserLookProps {
  picture: LurePicture
  isLargest: boolean
  onOpen: (address: string) => void
}

/** A link to the picture itself, which is what opens without scripts or in a new tab. */
function CloserLook({ picture, isLargest, onOpen }: CloserLookProps) {
  const address = pictureUrl(picture.url, WIDEST)
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(address)
  }
  return (
    <a
      href={address}
      className={styles.closer}
      aria-label={`Zoom: ${picture.alt}`}
      aria-haspopup="dialog"
      onClick={open}
    >
      <Picture
        src={picture.url}
        alt={picture.alt}
        width={WIDEST}
        height={WIDEST}
        sizes={isLargest ? '(min-width: 960px) 56vw, 100vw' : '(min-width: 960px) 56vw, 60vw'}
        priority={isLargest}
      />
      <span className={styles.zoom} aria-hidden>
        <Expand size={20} />
      </span>
    </a>
  )
}
