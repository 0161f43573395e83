import { PAGE_QUALITY, type PictureWidth } from '#domain/picture-sizes.ts'

const WIDTHS: readonly PictureWidth[] = [320, 480, 640, 800, 960, 1200]

export interface PictureProps {
  /** A public storage address (`/storage/v1/object/public/…`), from which smaller widths are asked; any other address is shown as it is. */
  src: string
  alt: string
  /** The original's size: it reserves the place on the page. */
  width: number
  height: number
  /** How wide it is shown, as the `sizes` attribute says it. */
  sizes: string
  widths?: readonly PictureWidth[]
  /** Only for the largest picture of the first view. */
  priority?: boolean
  className?: string
}

/** An image in the width that the screen needs; the server answers AVIF or WebP by what the browser accepts. */
export function Picture({
  src,
  alt,
  width,
  height,
  sizes,
  widths = WIDTHS,
  priority,
  className,
}: PictureProps) {
  const isOurs = canResize(src)
  const usable = widths.filter((candidate) => candidate <= width)
  // A picture narrower than all of them is never enlarged: any of them gives the original's size.
  const fallback = usable.at(-1) ?? 320
  return (
    <img
      className={className}
      src={isOurs ? pictureUrl(src, fallback) : src}
      srcSet={
        isOurs
          ? usable.map((candidate) => `${pictureUrl(src, candidate)} ${candidate}w`).join(', ')
          : undefined
      }
      sizes={isOurs ? sizes : undefined}
      width={width}
      height={height}
      alt={alt}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : undefined}
      decoding={priority ? 'sync' : 'async'}
    />
  )
}

/** Only what lies in a public bucket is made smaller. */
export function canResize(src: string): boolean {
  return src.includes('/storage/v1/object/public/')
}

/** The address of a stored picture at one width. */
export function pictureUrl(src: string, width: PictureWidth): string {
  const rendered = src.replace('/storage/v1/object/public/', '/storage/v1/render/image/public/')
  return `${rendered}?width=${width}&quality=${PAGE_QUALITY}`
}
