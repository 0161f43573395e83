import { pictureUrl } from '#domain/picture-sizes.ts'
import type { Variant } from '#domain/catalogue.ts'
import styles from './swatch.module.css'

/** A close-up of the colour, decorative beside its name. */
export function Swatch({ variant }: { variant: Variant }) {
  if (!variant.picture) return null
  return (
    <span className={styles.swatch} aria-hidden>
      <img
        src={pictureUrl(variant.picture.url, 160)}
        alt=""
        width={96}
        height={96}
        loading="lazy"
        decoding="async"
      />
    </span>
  )
}
