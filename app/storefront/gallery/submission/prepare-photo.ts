/** What the gallery keeps and every browser shows. */
const KEPT_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
const JPEG_QUALITY = 0.9

/**
 * The photo as it is uploaded: what browsers show stays as it is, anything else that this one can open (a phone's HEIC)
 * becomes a JPEG. `null` for a file that is no picture, whatever it is called.
 */
export async function preparePhoto(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  try {
    return KEPT_TYPES.has(file.type) ? file : await asJpeg(picture)
  } finally {
    picture.close()
  }
}

async function asJpeg(picture: ImageBitmap): Promise<Blob> {
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY })
}
