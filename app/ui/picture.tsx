import { classNames } from './class-names.ts'
import styles from './picture.module.css'
import { canResize, PAGE_WIDTHS, pictureUrl, type PictureWidth } from '#domain/picture-sizes.ts'

export interface PictureProps {
  /** A public storage URL (`/storage/v1/object/public/…`) is resized by the server; any other URL is used unchanged. */
  src: string
  alt: string
  /** The original's size, which prevents a layout shift. */
  width: number
  height: number
  sizes: string
  widths?: readonly PictureWidth[]
  /** Only for the largest picture of the first view. */
  priority?: boolean
  /** Fills the width of its place, cropped to this aspect ratio. */
  ratio?: string
  /** Fills its place, cropped. */
  fills?: boolean
  className?: string
}

/** A responsive image; the server picks AVIF or WebP by the Accept header. */
export function Picture({
  src,
  alt,
  width,
  height,
  sizes,
  widths = PAGE_WIDTHS,
  priority,
  ratio,
  fills,
  className,
}: PictureProps) {
  const isResizable = canResize(src)
  const usable = widths.filter((candidate) => candidate <= width)
  // The server never enlarges a picture, so any width returns a narrow original unchanged.
  const fallback = usable.at(-1) ?? 320
  return (
    <img
      className={classNames(ratio && styles.cover, fills && styles.fill, className)}
      style={{ aspectRatio: ratio }}
      src={isResizable ? pictureUrl(src, fallback) : src}
      srcSet={
        isResizable
          ? usable.map((candidate) => `${pictureUrl(src, candidate)} ${candidate}w`).join(', ')
          : undefined
      }
      sizes={isResizable ? sizes : undefined}
      width={width}
      height={height}
      alt={alt}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : undefined}
      decoding={priority ? 'sync' : 'async'}
    />
  )
}

/** In the place of a picture that the shop does not have yet. */
export function NoPicture({ ratio, fills }: Pick<PictureProps, 'ratio' | 'fills'>) {
  return (
    <span className={styles.none} style={{ aspectRatio: ratio, height: fills ? '100%' : undefined }}>
      No picture yet
    </span>
  )
}
