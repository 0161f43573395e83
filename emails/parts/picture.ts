import type { PictureWidth } from '#domain/picture-sizes.ts'

/** Pictures of ours are asked for small; a mail program cannot choose among widths. */
export function smallPicture(imageUrl: string, publicUrl: string, width: PictureWidth): string {
  const small = imageUrl.replace('/storage/v1/object/public/', '/storage/v1/render/image/public/')
  const sized = small === imageUrl ? imageUrl : `${small}?width=${width}`
  return new URL(sized, publicUrl).href
}
