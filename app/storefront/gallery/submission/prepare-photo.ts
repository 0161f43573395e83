/** Image types that every browser shows. */
const WEB_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
const JPEG_QUALITY = 0.9

/**
 * Returns the photo for upload. Types that not every browser shows, such as HEIC, are converted to JPEG. `null`: the browser
 * cannot decode or convert the file.
 */
export async function preparePhoto(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  try {
    return WEB_TYPES.has(file.type) ? file : await asJpeg(picture)
  } catch (error) {
    console.error('the photo was not converted', error)
    return null
  } finally {
    picture.close()
  }
}

async function asJpeg(picture: ImageBitmap): Promise<Blob> {
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY })
}
