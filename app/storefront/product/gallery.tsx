import { Picture } from '#app/ui/picture.tsx'
import type { Product, Variant } from '#domain/catalogue.ts'
import styles from './gallery.module.css'

/** The chosen colour, large; under it the lure at an angle, rigged. */
export function Gallery({ product, variant }: { product: Product; variant: Variant | null }) {
  const [largest, ...others] = [variant?.picture, product.picture].filter((picture) => picture != null)
  if (!largest) return <div className={styles.empty}>No picture yet</div>
  return (
    <div className={styles.gallery}>
      <Picture
        key={largest.url}
        src={largest.url}
        alt={largest.alt}
        width={1200}
        height={1200}
        sizes="(min-width: 960px) 56vw, 100vw"
        priority
      />
      {others.map((picture) => (
        <Picture
          key={picture.url}
          src={picture.url}
          alt={picture.alt}
          width={1200}
          height={1200}
          sizes="(min-width: 960px) 56vw, 60vw"
        />
      ))}
    </div>
  )
}
