import { Expand } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { Stack } from '#app/ui/layout.tsx'
import { NoPicture, Picture } from '#app/ui/picture.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { useDialogLink } from '#app/ui/use-dialog-link.ts'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import type { ProductPicture, Product, Variant } from '#domain/catalogue.ts'
import styles from './gallery.module.css'

const loadZoom = () => import('./zoom-dialog.tsx')

/** The largest width that the server delivers. */
const MAX_WIDTH = 1200

/** Shows the chosen colour first, then the product's pictures. Each opens the zoom dialog. */
export function Gallery({ product, variant }: { product: Product; variant: Variant | null }) {
  const [zoom, loadZoomNow] = useLazyModule(loadZoom)
  const [zoomed, setZoomed] = useState<number | null>(null)
  const pictures = picturesOf(product, variant)
  if (pictures.length === 0) return <NoPicture ratio="1" />

  return (
    <Stack gap={1} justify="start" className={classNames(styles.gallery, pictures.length > 2 && styles.many)}>
      {pictures.map((picture, position) => (
        <ZoomLink
          key={picture.url}
          picture={picture}
          isLargest={position === 0}
          onLoad={loadZoomNow}
          onOpen={() => setZoomed(position)}
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
    </Stack>
  )
}

/** Returns the colour's picture, then the product's, without duplicates. */
function picturesOf(product: Product, variant: Variant | null): ProductPicture[] {
  const pictures = [variant?.picture, product.picture, ...product.morePictures].filter(
    (picture) => picture != null,
  )
  return [...new Map(pictures.map((picture) => [picture.url, picture])).values()]
}

interface ZoomLinkProps {
  picture: ProductPicture
  isLargest: boolean
  /** Loads the zoom dialog; resolves to whether it did. */
  onLoad: () => Promise<boolean>
  onOpen: () => void
}

/** Links to the picture file, which opens in a new tab or without scripts. */
function ZoomLink({ picture, isLargest, onLoad, onOpen }: ZoomLinkProps) {
  const dialogLink = useDialogLink()
  return (
    <a
      className={styles.zoomLink}
      aria-label={`Zoom: ${picture.alt}`}
      {...dialogLink(pictureUrl(picture.url, MAX_WIDTH), onLoad, onOpen)}
    >
      <Picture
        src={picture.url}
        alt={picture.alt}
        width={MAX_WIDTH}
        height={MAX_WIDTH}
        sizes={isLargest ? '(min-width: 960px) 56vw, 100vw' : '(min-width: 960px) 56vw, 60vw'}
        priority={isLargest}
      />
      <Stack as="span" tone="ink" className={styles.zoom} aria-hidden>
        <Expand size={20} />
      </Stack>
    </a>
  )
}
