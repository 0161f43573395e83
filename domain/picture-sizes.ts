/**
 * The widths of stored pictures that pages and mails use. The server renders no other widths for visitors: each one costs up to a second
 * of processor time and a place in the cache, so arbitrary widths would be a denial-of-service attack.
 */
const PICTURE_WIDTHS = [56, 112, 160, 320, 480, 536, 640, 768, 800, 960, 1200, 1280, 1600, 1920] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** Pages use 70. Mails and the official client's default use 80. */
const PAGE_QUALITY = 70
const CLIENT_QUALITY = 80

/** The widths of a product's pictures on pages. */
export const PAGE_WIDTHS: readonly PictureWidth[] = [320, 480, 640, 800, 960, 1200]

/** The server resizes only pictures in public buckets. */
export function canResize(src: string): boolean {
  return src.includes('/storage/v1/object/public/')
}

/** The address of a resized picture. */
export function pictureUrl(src: string, width: PictureWidth): string {
  const rendered = src.replace('/storage/v1/object/public/', '/storage/v1/render/image/public/')
  return `${rendered}?width=${width}&quality=${PAGE_QUALITY}`
}

/** The storage service's option. */
export const offeredPictures = {
  widths: PICTURE_WIDTHS,
  /** For link previews: messengers crop other formats. */
  squares: [1200],
  qualities: [PAGE_QUALITY, CLIENT_QUALITY],
  formats: ['origin'],
} as const
