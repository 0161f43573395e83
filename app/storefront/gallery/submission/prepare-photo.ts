import { MAX_PHOTO_BYTES } from '#domain/validation/gallery.ts'

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

/** Scales a photo down until its JPEG is small enough: HEIC takes about half as many bytes. */
async function asJpeg(picture: ImageBitmap): Promise<Blob> {
  for (let scale = 1; ; scale *= 0.75) {
    const canvas = new OffscreenCanvas(picture.width * scale, picture.height * scale)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    // oxlint-disable-next-line no-await-in-loop -- a smaller one only if this one is too large
    const photo = await canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY })
    if (photo.size <= MAX_PHOTO_BYTES) return photo
  }
}
