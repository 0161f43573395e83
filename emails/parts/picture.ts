import type { PictureWidth } from '#domain/picture-sizes.ts'

/** Returns the URL of a resized picture if the shop stores it: mail programs ignore `srcset`. */
export function smallPicture(imageUrl: string, publicUrl: string, width: PictureWidth): string {
  const small = imageUrl.replace('/storage/v1/object/public/', '/storage/v1/render/image/public/')
  const sized = small === imageUrl ? imageUrl : `${small}?width=${width}`
  return new URL(sized, publicUrl).href
}
